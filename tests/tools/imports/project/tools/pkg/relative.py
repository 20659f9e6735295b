from pegboard import tool

from .inner import Z


@tool
def relative() -> int:
    return Z


@tool
def relative_inside_the_function() -> int:
    from . import inner

    return inner.Z
