"""Tools with limits in a run."""

import asyncio

from pegboard import Stop, tool

ORDER: list[str] = []


@tool
async def nap(ms: int) -> int:
    """Sleep and return how long."""
    ORDER.append("nap begins")
    await asyncio.sleep(ms / 1000)
    ORDER.append("nap ends")
    return ms


@tool(parallel=False)
async def alone(ms: int) -> int:
    """Sleep while nothing else of the run does anything."""
    ORDER.append("alone begins")
    await asyncio.sleep(ms / 1000)
    ORDER.append("alone ends")
    return ms


@tool(max_calls_per_run=2)
async def twice(ms: int) -> int:
    """Return the number, twice at most."""
    return ms


@tool
def order() -> list[str]:
    """Tell in which order the others ran."""
    return list(ORDER)


@tool
def enough() -> str:
    """End the run."""
    raise Stop("enough")
