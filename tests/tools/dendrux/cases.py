"""Tools that were written for dendrux, each for one thing that goes wrong elsewhere."""

import asyncio
import threading
import time

from dendrux import tool

LOCK = asyncio.Lock()
MEETING = threading.Barrier(2, timeout=10)


@tool()
def given(a: int | None = None, s: str | None = None, n: int = 7, *, r: int) -> list:
    """Return what arrived."""
    return [a, s, n, r]


@tool()
async def loop_number() -> int:
    """Name the loop, under a lock that belongs to the module."""
    async with LOCK:
        await asyncio.sleep(0.01)
        return id(asyncio.get_running_loop())


@tool()
def meet() -> str:
    """Wait for another call of the same tool."""
    MEETING.wait()
    return "ok"


@tool()
def sync_over_async() -> str:
    """Run a loop of its own."""
    return asyncio.run(asyncio.sleep(0, "ok"))


@tool()
async def loop_in_loop() -> str:
    """Run a loop inside a loop, which Python refuses."""
    return asyncio.run(asyncio.sleep(0, "ok"))


@tool(timeout_seconds=0.2)
def slow() -> str:
    """Sleep where no interruption reaches."""
    time.sleep(1)
    return "late"


@tool(timeout_seconds=0.2)
async def slow_later() -> str:
    """Sleep on the event loop."""
    await asyncio.sleep(60)
    return "late"


@tool()
def own_timeout() -> str:
    """Raise a timeout of its own."""
    raise TimeoutError("db")
