"""Tools that note when they ran."""

import asyncio

from pegboard import tool

notes: list[str] = []


@tool
def note(text: str) -> str:
    """Write a note."""
    notes.append(text)
    return text


@tool
def recall() -> list[str]:
    """Tell the notes."""
    return notes


@tool
def forget() -> None:
    """Throw the notes away."""
    notes.clear()


@tool
async def meet(ms: int) -> str:
    """Wait, and note when that begins and ends."""
    notes.append("begins")
    try:
        await asyncio.sleep(ms / 1000)
    finally:
        notes.append("ends")
    return "met"
