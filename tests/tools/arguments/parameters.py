"""Tools with parameters of many kinds."""

from typing import Annotated, Literal

from pegboard import tool
from pydantic import Field


@tool
def typed(
    path: str,
    count: Annotated[int, Field(ge=0)],
    tags: list[str],
    mood: Literal["calm", "loud"] = "calm",
    limit: int = 100,
) -> str:
    """Take one of each."""
    return f"{path}:{count}:{tags}:{mood}:{limit}"


@tool
def total(xs: list[int]) -> int:
    """Add up."""
    return sum(xs)


@tool
def optional(a: int | None = None, s: str | None = None, n: int = 7) -> list[object]:
    """Return what arrived."""
    return [a, s, n]


@tool
def echo(s: str, o: str | None = None) -> list[object]:
    """Return the texts as they came."""
    return [s, o]


@tool
def wait(ms: int) -> int:
    """Return the number."""
    return ms


@tool(
    parameters={
        "type": "object",
        "properties": {"value": {"anyOf": [{"type": "string"}, {"type": "number"}]}},
        "required": ["value"],
    }
)
def record(value):
    """Record a value of either kind."""
    return f"recorded {value}"
