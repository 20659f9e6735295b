"""What goes wrong in tools, for the soak: each kind of fault, and a ledger of which calls really ran."""

import asyncio
import sys
import threading
import time
from collections import Counter

from pegboard import Context, Toolset, tool, tool_method

RAN: Counter[str] = Counter()
LOCK = threading.Lock()


def note(context: Context) -> str:
    """Write the call into the ledger."""
    with LOCK:
        RAN[context.call_id] += 1
    return context.call_id


@tool
def sync_noted(context: Context) -> str:
    """Run on a thread."""
    return note(context)


@tool
async def async_noted(context: Context) -> str:
    """Run on the loop."""
    await asyncio.sleep(0)
    return note(context)


class Counted(Toolset):
    """Calls that take turns."""

    seen: int = 0

    @tool_method
    def turn_noted(self, context: Context) -> str:
        """Run alone."""
        self.seen += 1
        return note(context)


@tool
def ran_more_than_once() -> list[str]:
    """Tell which calls ran more than once."""
    with LOCK:
        return [call for call, times in RAN.items() if times > 1]


@tool
def ran() -> int:
    """Tell how many calls ran."""
    with LOCK:
        return len(RAN)


@tool
def fails() -> str:
    """Raise."""
    raise ValueError("no")


@tool
async def fails_in_a_group() -> str:
    """Raise in a group of tasks."""
    async with asyncio.TaskGroup() as group:
        group.create_task(asyncio.sleep(60))
        raise KeyError("no")
    return "never"


@tool
def leaves() -> str:
    """Try to end the process."""
    sys.exit(3)


@tool
async def leaves_later() -> str:
    """Try to end the process from the loop."""
    await asyncio.sleep(0)
    raise SystemExit(3)


@tool(timeout_seconds=0.05)
def computes_for_ever() -> str:
    """Compute until it is stopped."""
    while True:
        pass


@tool(timeout_seconds=0.05)
def sleeps_in_c() -> str:
    """Sleep where no interruption reaches."""
    time.sleep(0.5)
    return "late"


@tool(timeout_seconds=0.05)
async def sleeps_on_the_loop() -> str:
    """Sleep too long."""
    await asyncio.sleep(60)
    return "late"


@tool
async def naps() -> str:
    """Sleep long enough to be given up."""
    await asyncio.sleep(0.05)
    return "rested"


@tool
def writes() -> str:
    """Write a lot."""
    for number in range(200):
        print("line", number)
    return "written"


@tool
def returns_what_json_lacks() -> object:
    """Return what cannot be written."""
    return {"a": [float("nan")]}
