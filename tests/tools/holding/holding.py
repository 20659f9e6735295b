"""Async tools that never let the event loop go by themselves."""

import asyncio
from typing import Annotated

from pydantic import AfterValidator, BaseModel, field_serializer

from pegboard import tool


def for_ever(value: int) -> int:
    """Compute for ever, in Python."""
    while True:
        pass


class Endless(BaseModel):
    """Written for ever."""

    number: int = 1

    @field_serializer("number")
    def write(self, value: int) -> int:
        """Write for ever."""
        return for_ever(value)


class UnspeakableError(Exception):
    """Says what it is for ever."""

    def __str__(self) -> str:
        for_ever(1)
        return ""


@tool(timeout_seconds=0.3)
async def at_once() -> int:
    """Compute for ever."""
    return for_ever(1)


@tool(timeout_seconds=0.3)
async def after_a_step() -> int:
    """Compute for ever, after the first step."""
    await asyncio.sleep(0)
    return for_ever(1)


@tool(timeout_seconds=0.3)
async def checked(number: Annotated[int, AfterValidator(for_ever)]) -> int:
    """Take what is never found to be valid."""
    return number


@tool(timeout_seconds=0.3)
async def written() -> Endless:
    """Return what never comes to be text."""
    return Endless()


@tool(timeout_seconds=0.3)
async def unspeakable() -> None:
    """Raise what cannot be said."""
    raise UnspeakableError


@tool(timeout_seconds=0.3)
async def stubborn() -> int:
    """Go on after the first request to stop."""
    await asyncio.sleep(0)
    try:
        return for_ever(1)
    except BaseException:
        return for_ever(1)


@tool(timeout_seconds=0.3)
async def clean_up_for_ever() -> int:
    """Wait, and hold the loop when asked to stop."""
    try:
        await asyncio.sleep(60)
    finally:
        for_ever(1)
    return 1


@tool(timeout_seconds=0.3)
async def catch() -> str:
    """Be interrupted, and go on as a task that can be cancelled."""
    try:
        for_ever(1)
    except BaseException:
        await asyncio.sleep(60)
    return "late"


@tool
async def without_limit() -> int:
    """Compute for ever, for as long as somebody waits."""
    await asyncio.sleep(0)
    return for_ever(1)


@tool
async def quick() -> str:
    """Answer at once."""
    await asyncio.sleep(0)
    return "quick"
