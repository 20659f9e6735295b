"""Tools that do not end, and ones that tell what became of them."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from typing import Annotated

from pydantic import AfterValidator, BaseModel, field_serializer

from pegboard import Context, tool

ENDED: list[str] = []


@tool(timeout_seconds=0.2)
def spin() -> str:
    """Compute for ever, in Python."""
    number = 0
    while True:
        number += 1


@tool(timeout_seconds=0.2)
def sleep_in_c() -> str:
    """Sleep where no interruption reaches."""
    time.sleep(1.5)
    ENDED.append("sleep_in_c")
    return "late"


@tool(timeout_seconds=0.2)
async def nap() -> str:
    """Sleep on the event loop."""
    try:
        await asyncio.sleep(60)
    finally:
        ENDED.append("nap")
    return "late"


@tool
async def nap_for_ever() -> str:
    """Sleep on the event loop without a limit of its own."""
    try:
        await asyncio.sleep(600)
    finally:
        ENDED.append("nap_for_ever")
    return "late"


@tool
def ended() -> list[str]:
    """Tell which tools came to their end."""
    return list(ENDED)


@tool
async def thread_name() -> str:
    """Name the thread that runs async tools."""
    await asyncio.sleep(0)
    return threading.current_thread().name


@tool
def run_a_loop() -> str:
    """Run an event loop in a plain function."""

    async def inner() -> str:
        await asyncio.sleep(0)
        return "ok"

    return asyncio.run(inner())


@tool
def noisy(context: Context) -> str:
    """Write to every stream."""
    print("to stdout")
    print("to stderr", file=sys.stderr)
    context.log("to the log")
    context.progress(1, 2, "half")
    return context.call_id


@tool
def chatty(lines: int) -> str:
    """Write more than is kept."""
    for number in range(lines):
        print(f"line {number} " + "x" * 100)
    return "done"


@tool
def where() -> dict[str, str]:
    """Tell which Python this is."""
    return {"prefix": sys.prefix, "executable": sys.executable, "pid": str(os.getpid())}


@tool
def child() -> str:
    """Run this Python as a child process."""
    return subprocess.run([sys.executable, "-c", "print('child')"], capture_output=True, text=True).stdout.strip()


@tool(timeout_seconds=0.02)
def end_about_now() -> str:
    """Compute for about as long as there is time."""
    end = time.monotonic() + 0.02
    while time.monotonic() < end:
        pass
    return "ended"


@tool
def count_up() -> int:
    """Compute for a moment, in Python."""
    number = 0
    while number < 20_000:
        number += 1
    return number


def for_ever(value: int) -> int:
    """Check for ever."""
    while True:
        pass


@tool(timeout_seconds=0.2)
def checked_for_ever(number: Annotated[int, AfterValidator(for_ever)]) -> int:
    """Take what is never found to be valid."""
    return number


class Endless(BaseModel):
    """Written for ever."""

    number: int = 1

    @field_serializer("number")
    def write(self, value: int) -> int:
        """Write for ever."""
        return for_ever(value)


@tool(timeout_seconds=0.2)
def written_for_ever() -> Endless:
    """Return what never comes to be text."""
    return Endless()
