"""The first file in sorted order."""

from pegboard import tool


@tool
def good() -> str:
    """Say which."""
    return "A"
