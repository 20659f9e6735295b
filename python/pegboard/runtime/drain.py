"""Owns getting the value out of what a function returned when it is not the value yet.

Must not decide what has to be drained; the runner looks at the type.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Generator
from typing import Any, TypeVar

from .current import CURRENT, CallHandle

__all__ = ["TooManyItemsError", "collect", "collect_async", "finish"]

T = TypeVar("T")

LONGEST_MESSAGE = 1000
"""How many characters of an item go with the report that it came."""


class TooManyItemsError(Exception):
    """A generator yielded more items than a call may."""


def collect(generator: Generator[Any, Any, Any], limit: int) -> Any:
    """The items of a generator as a list; its return value where it yielded nothing.

    Raises `TooManyItemsError` beyond `limit` items; the generator is closed then, so that its `finally` runs.
    """
    items: list[Any] = []
    handle = _watched()
    while True:
        try:
            item = next(generator)
        except StopIteration as end:
            return items if items or end.value is None else end.value
        if len(items) >= limit:
            generator.close()
            raise _too_many(limit)
        items.append(item)
        if handle is not None:
            handle.progress(len(items), None, _shown(item))


async def collect_async(generator: AsyncGenerator[Any, Any], limit: int) -> list[Any]:
    """The items of an async generator; see `collect`.

    The generator is closed on the way out, also when the call is cancelled.
    """
    items: list[Any] = []
    handle = _watched()
    try:
        async for item in generator:
            if len(items) >= limit:
                raise _too_many(limit)
            items.append(item)
            if handle is not None:
                handle.progress(len(items), None, _shown(item))
    finally:
        await generator.aclose()
    return items


async def finish(awaitable: Awaitable[T]) -> T:
    """The result of any awaitable, as a coroutine: that is what a task takes."""
    return await awaitable


def _watched() -> CallHandle | None:
    """The running call, if somebody is told of each item."""
    handle = CURRENT.get(None)
    return handle if handle is not None and handle.watched else None


def _shown(item: Any) -> str | None:
    """An item as the message beside its number: only text can be shown before it is all there."""
    return item[:LONGEST_MESSAGE] if isinstance(item, str) else None


def _too_many(limit: int) -> TooManyItemsError:
    return TooManyItemsError(f"the generator yielded more than {limit} items")
