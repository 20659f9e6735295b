"""A first tool file: every `@tool` function in it is offered to a model."""

import asyncio
import typing as t

from pegboard import tool


@tool
def longest_words(
    text: t.Annotated[str, "The text to look through"],
    count: t.Annotated[int, "How many words to name"] = 3,
) -> list[str]:
    """Name the longest words of a text, the longest first."""
    return sorted(set(text.split()), key=lambda word: (-len(word), word))[:count]


@tool
async def remind(
    message: t.Annotated[str, "What to say"],
    seconds: t.Annotated[float, "How long to wait before"] = 1.0,
) -> str:
    """Say something after a while. An async tool lets others run meanwhile."""
    await asyncio.sleep(seconds)
    return message
