"""Descriptions from the docstring and from annotations, and a schema that is given as it is."""

from typing import Annotated, Literal

from pydantic import Field

from dendrux import tool


@tool()
async def show(kind: Literal["chart", "table"], title: str | None = None) -> str:
    """Show a widget.

    Args:
        kind: Which one.
        title: What stands above it.
    """
    return f"{kind}: {title}"


@tool()
async def search(
    query: Annotated[str, Field(description="What to look for")],
    limit: Annotated[int, "How many results"] = 10,
) -> list[str]:
    """Search the catalog."""
    return [query] * limit


@tool(
    parameters={
        "type": "object",
        "properties": {"value": {"anyOf": [{"type": "string"}, {"type": "number"}]}},
        "required": ["value"],
    }
)
async def record(value) -> str:
    """Record a value."""
    return f"{type(value).__name__} {value}"


@tool(strict=True)
def count(words: list[str], least: int = 1) -> int:
    """Count the words of a length."""
    return sum(len(word) >= least for word in words)
