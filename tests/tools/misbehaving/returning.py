"""Tools that return what is hard to show."""

import math
from collections.abc import AsyncIterator, Iterator

from pegboard import tool


@tool
def big(characters: int) -> str:
    """Return a long text."""
    return "A" * characters + "TAIL"


@tool
def rows() -> dict[str, object]:
    """Return a dict with one large leaf."""
    return {"n": 2, "data": ["x" * 500_000]}


@tool
def unserializable() -> dict[str, object]:
    """Return an object that JSON has no form for."""
    return {"a": [1, {"b": object()}]}


@tool
def not_a_number() -> dict[str, float]:
    """Return a number that JSON does not have."""
    return {"value": math.nan}


@tool
def surrogate() -> str:
    """Return half a character."""
    return "\ud800"


@tool
def count(to: int) -> Iterator[int]:
    """Count."""
    yield from range(to)


@tool
async def count_later(to: int) -> AsyncIterator[int]:
    """Count on the event loop."""
    for number in range(to):
        yield number


@tool
def awaitable() -> object:
    """Return a coroutine although it is a plain function."""

    async def later() -> str:
        return "later"

    return later()


@tool
def picture() -> bytes:
    """Return the beginning of a PNG file."""
    return b"\x89PNG\xff"


@tool
def greet() -> dict[str, str]:
    """Return text beyond ASCII."""
    return {"t": "日本"}


@tool
def nothing() -> None:
    """Return nothing."""


@tool
def empty() -> list[int]:
    """Return an empty list."""
    return []
