"""A tool that works beside all that does not."""

from pegboard import tool


@tool
def good() -> str:
    """Work."""
    return "good"
