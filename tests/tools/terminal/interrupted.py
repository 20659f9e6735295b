"""Tools that run until they are interrupted, and say on descriptor 2 when they have begun."""

import asyncio
import os
import re
import time
from pathlib import Path

from pegboard import tool

LONG = 60


def begin() -> None:
    os.write(2, b"begun\n")


@tool
def sleep() -> str:
    """Sleep in C, where nothing reaches it."""
    begin()
    time.sleep(LONG)
    return "late"


@tool
def spin() -> str:
    """Compute in Python."""
    begin()
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        pass
    return "late"


@tool
def hold() -> str:
    """Compute in C, and hold the interpreter lock."""
    begin()
    re.match(r"(a+)+$", "a" * 40 + "b")
    return "late"


@tool
async def block() -> str:
    """Block the event loop."""
    begin()
    time.sleep(LONG)
    return "late"


@tool
async def clean_up(trace: Path) -> str:
    """Sleep on the event loop, and leave a trace of its end."""
    begin()
    try:
        await asyncio.sleep(LONG)
    finally:
        await asyncio.sleep(0.1)
        trace.write_text("cleaned up")
    return "late"
