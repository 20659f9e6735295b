"""One tool that every provider accepts, one that some have to be told in words, one that some refuse."""

from typing import Annotated, Literal

from pydantic import Field

from pegboard import tool


@tool
def plain(query: str) -> str:
    """Search for something."""
    return query


@tool
def grep(n: Annotated[int, Field(gt=0, multiple_of=5)], mode: Literal["x"]) -> str:
    """Search in a mode."""
    return f"{mode}:{n}"


@tool(parameters={"type": "object", "properties": {"filter[id]": {"type": "string"}}})
def odata(**filters: str) -> str:
    """Ask a service."""
    return ",".join(filters)
