"""Tools for the tests of the Python door."""

import asyncio
import contextvars
import json
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

from pegboard import Context, Stop, tool

events: list[str] = []


class Refused(Exception):
    """Carries what a plain message would lose."""

    def __init__(self, code: int) -> None:
        super().__init__(f"refused with {code}")
        self.code = code


REFUSED = Refused(7)


@tool
def add(a: int, b: int = 1) -> int:
    """Add two numbers."""
    return a + b


@tool
def same(value: Any) -> Any:
    """Return the value."""
    return value


@tool(catch=False)
def refuse() -> None:
    """Raise one certain exception object."""
    raise REFUSED


@tool(catch=False)
async def refuse_async() -> None:
    """Raise the same object on the loop."""
    raise REFUSED


@tool
def talk() -> str:
    """Write to both streams."""
    print("to stdout")
    print("to stderr", file=sys.stderr)
    return "said"


@tool
def talk_while_yielding():
    """Write before each item."""
    for number in range(2):
        print(f"item {number}")
        yield number


@tool
async def meet(ms: int) -> str:
    """Sleep; what happens to it is written down."""
    events.append("begins")
    try:
        await asyncio.sleep(ms / 1000)
        return "met"
    except asyncio.CancelledError:
        events.append("cancelled")
        raise
    finally:
        events.append("ends")


@tool
def recall() -> list[str]:
    """Tell what was written down."""
    return events


@tool
async def together(count: int) -> int:
    """Return when that many calls of this tool are waiting here at once."""
    events.append("together")
    while events.count("together") < count:
        await asyncio.sleep(0)
    return count


@tool
def variables() -> dict[str, str]:
    """Tell the context variables whose values are texts."""
    return {var.name: value for var, value in contextvars.copy_context().items() if isinstance(value, str)}


@tool
async def variables_async() -> dict[str, str]:
    """Tell the same on the loop."""
    await asyncio.sleep(0)
    return variables()


@tool
def who(context: Context) -> dict[str, str]:
    """Tell which call this is."""
    return {"call": context.call_id, "tool": context.tool}


@tool
def thread() -> int:
    """Tell the thread."""
    return threading.get_ident()


@tool
def enough(text: str) -> str:
    """End the run."""
    raise Stop(text)


@tool(target="client")
def ask(question: str) -> str:
    """Ask the person in front of the application."""
    raise AssertionError("the application does this")


@tool(max_calls_per_run=1)
def once() -> str:
    """Run once in a run."""
    return "ran"


@tool
def long(count: int) -> str:
    """Return that many characters."""
    return "x" * count


@tool
def sleep(seconds: float) -> str:
    """Hold up a thread."""
    time.sleep(seconds)
    return json.dumps(seconds)


@tool(timeout_seconds=None)
def work() -> None:
    """Compute until Ctrl-C."""
    events.append("begins")
    try:
        while True:
            time.sleep(0.001)
    finally:
        events.append("ends")


@tool(timeout_seconds=None)
def give_in() -> None:
    """Raise what Ctrl-C raises."""
    raise KeyboardInterrupt


@tool
def nap(seconds: float) -> None:
    """Sleep where nothing reaches it."""
    events.append("begins")
    time.sleep(seconds)


EXECUTORS: list[ThreadPoolExecutor] = []


def write_later(path: str, seconds: float) -> None:
    time.sleep(seconds)
    Path(path).write_text("written")


@tool
def leave_behind(how: Literal["thread", "executor"], path: str, seconds: float) -> None:
    """Leave a thread behind that Python would wait for."""
    if how == "thread":
        threading.Thread(target=write_later, args=(path, seconds), daemon=False).start()
        return
    EXECUTORS.append(ThreadPoolExecutor(1))
    EXECUTORS[-1].submit(write_later, path, seconds)


@tool
async def leave_behind_the_loop(path: str, seconds: float) -> None:
    """Leave a thread of the loop's own behind."""
    asyncio.get_running_loop().run_in_executor(None, write_later, path, seconds)
