"""A file that is not Python."""


def broken(:
    pass
