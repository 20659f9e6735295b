"""Named like an installed package, which must go on being imported."""

from pegboard import tool


@tool
def named_like_installed() -> bool:
    import typing_extensions

    return hasattr(typing_extensions, "TypedDict") and typing_extensions.__file__ != __file__
