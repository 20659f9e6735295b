"""A tool whose parameter names a type that does not exist."""

from pegboard import tool


@tool
def rejected(value: "Nowhere") -> str:  # noqa: F821
    """Never be called."""
    return str(value)
