"""One async tool: looks many indicators up at once, and tells how far it has come."""

import asyncio
import typing as t

from feed import verdict
from pydantic import Field

from pegboard import Context, tool


@tool
async def sweep_indicators(
    indicators: t.Annotated[list[str], Field(description="IPs, domains, or hashes", min_length=1)],
    context: Context,
) -> dict[str, list[str]]:
    """Look up many indicators at once, and group them by verdict."""
    found: dict[str, list[str]] = {}

    async def look_up(indicator: str) -> None:
        await asyncio.sleep(0.01)  # where a real source would be asked
        found.setdefault(verdict(indicator), []).append(indicator)
        context.progress(sum(map(len, found.values())), len(indicators), indicator)

    await asyncio.gather(*(look_up(indicator) for indicator in indicators))
    return found
