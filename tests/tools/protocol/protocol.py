"""Tools as an MCP client meets them. Loading this file writes to standard output, as careless files do."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from pegboard import Context, tool

print("loading")


class Weather(BaseModel):
    """What the weather is like."""

    t: float
    note: str | None = None


@tool
def weather(bad: bool = False) -> Weather:
    """Tell the weather, or something that is none."""
    return {"t": "hot"} if bad else Weather(t=1.5)  # type: ignore[return-value]


@tool(annotations={"title": "Anyway", "readOnlyHint": True})
def anyway() -> Any:
    """Return something that nothing is said of."""
    return "x"


@tool
def none() -> list[int]:
    """Return no items."""
    return []


@tool
def many() -> list[dict[str, int]]:
    """Return two items."""
    return [{"i": 1}, {"i": 2}]


@tool
def numbers(count: int) -> list[int]:
    """Return many numbers."""
    return list(range(count))


@tool
def nothing() -> None:
    """Return nothing."""


@tool
def shot() -> bytes:
    """Return a picture."""
    return b"\x89PNG\r\n\x1a\n\xff"


@tool
def blob() -> bytes:
    """Return bytes of no known kind."""
    return b"\x00\xff"


@tool
def noisy() -> str:
    """Write to standard output in every way there is."""
    print("from python")
    os.write(1, b"from a descriptor\n")
    subprocess.run(["echo", "from a child"], check=True)
    return "ok"


@tool
def asks() -> str:
    """Read standard input."""
    return sys.stdin.read()


@tool
def fails() -> str:
    """Raise."""
    raise ValueError("bad port 0")


@tool(catch=False)
def aborts() -> str:
    """Raise what the tool's policy does not catch."""
    print("about to")
    raise RuntimeError("enough")


@tool
def ticks() -> Iterator[str]:
    """Yield again and again."""
    for _ in range(1_000_000):
        time.sleep(0.02)
        yield "tick"


@tool
def chatty() -> str:
    """Print more than a pipe holds."""
    for _ in range(900):
        print("x" * 100)
    return "ok"


@tool
def held(folder: str) -> str:
    """Wait for a file."""
    while not (Path(folder) / "go").exists():
        time.sleep(0.01)
    return "gone on"


@tool
def counts(context: Context, steps: int) -> int:
    """Tell how far it has come."""
    for step in range(steps):
        context.progress(step + 1, steps, f"step {step + 1}")
    return steps


@tool
def letters() -> Iterator[str]:
    """Yield one by one."""
    yield "a"
    yield "b"


@tool
async def letters_later() -> AsyncIterator[str]:
    """Yield one by one, later."""
    for letter in "ab":
        await asyncio.sleep(0)
        yield letter


@tool
async def waits(folder: str) -> str:
    """Wait, and leave a trace of how that ended."""
    trace = Path(folder)
    (trace / "begun").touch()
    try:
        await asyncio.sleep(600)
    finally:
        (trace / "ended").touch()
    return "late"


@tool
def stuck(folder: str) -> str:
    """Sleep where nothing reaches it."""
    (Path(folder) / "begun").touch()
    time.sleep(600)
    return "late"


@tool
def cat() -> str:
    """Let a child process read standard input."""
    return repr(subprocess.run(["cat"], capture_output=True, timeout=60, check=True).stdout)


@tool
def ask() -> str:
    """Ask somebody at a terminal."""
    return input("name? ")
