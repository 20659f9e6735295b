"""Tools that reach beyond their call: into threads, processes, signals, the working directory, the event loop."""

import asyncio
import multiprocessing
import os
import signal
import sys
import threading
import time
import warnings
from typing import Literal

from pegboard import Context, Toolset, tool, tool_method

NEVER = threading.Event()


def sleep(seconds: float) -> None:
    """Sleep in C code: once this line has begun, an exception reaches the thread only after it."""
    time.sleep(seconds)


def sleep_out_of_reach(seconds: float, context: Context) -> None:
    """Sleep, and report progress as soon as nothing can stop it any more."""
    sleeper = threading.get_ident()

    def is_asleep() -> bool:
        frame = sys._current_frames().get(sleeper)
        code = sleep.__code__
        return frame is not None and frame.f_code is code and frame.f_lineno != code.co_firstlineno

    def report() -> None:
        while not is_asleep():
            time.sleep(0.001)
        context.progress(0)

    threading.Thread(target=report, daemon=True).start()
    sleep(seconds)


@tool
def start_threads() -> int:
    """Leave threads behind, one of which Python would wait for."""
    for daemon in (True, False):
        threading.Thread(target=NEVER.wait, daemon=daemon).start()
    return threading.active_count()


@tool
async def run_a_loop_inside() -> str:
    """Run an event loop in one."""
    return asyncio.run(asyncio.sleep(0, "never"))


@tool
def handle_signals() -> str:
    """Set a signal handler away from the main thread."""
    signal.signal(signal.SIGTERM, lambda *_: None)
    return "never"


@tool
def fork_and_return() -> int:
    """Fork, and let the child go on as if it were the host."""
    child = os.fork()
    if child == 0:
        print("the child speaks")
        return 0
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


@tool
def fork_and_end(how: Literal["leave", "say", "raise"]) -> int:
    """Fork, and end the child as a program of its own would end."""
    child = os.fork()
    if child == 0:
        if how == "raise":
            raise LookupError("raised in the child")
        sys.exit(3 if how == "leave" else "said in the child")
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


@tool
async def fork_on_the_loop(how: Literal["return", "leave", "wait"]) -> int:
    """Fork on the event loop's thread."""
    waited = asyncio.get_running_loop().create_future()
    child = os.fork()
    if child == 0:
        if how == "leave":
            sys.exit(3)
        if how == "wait":
            await waited
        return 0
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def double(number: int) -> int:
    """Run in another process."""
    return 2 * number


@tool
def compute_elsewhere(method: str) -> list[int]:
    """Use a pool of processes."""
    context = multiprocessing.get_context(method)
    with context.Pool(1) as pool:
        return pool.map(abs, [-1, -2]) if method == "spawn" else pool.map(double, [1, 2])


@tool
def close_output() -> str:
    """Close standard output on both levels, and put the descriptor back."""
    sys.stdout.close()
    kept = os.dup(1)
    os.close(1)
    print("kept all the same")
    os.dup2(kept, 1)
    os.close(kept)
    return "closed"


@tool
def change_directory(path: str) -> str:
    """Change the working directory of the process."""
    os.chdir(path)
    return os.getcwd()


@tool
def change_directory_and_back(path: str) -> str:
    """Change the working directory for a while."""
    before = os.getcwd()
    os.chdir(path)
    os.chdir(before)
    return before


@tool
def warn() -> str:
    """Warn about something."""
    warnings.warn("old spelling", DeprecationWarning, stacklevel=1)
    warnings.warn("mind the gap", UserWarning, stacklevel=1)
    return "warned"


@tool
async def hold_the_loop(seconds: float, context: Context) -> str:
    """Sleep where one has to await."""
    sleep_out_of_reach(seconds, context)
    return "held"


@tool
async def quick() -> str:
    """Answer at once."""
    return "quick"


@tool
def work_for_ever(context: Context) -> str:
    """Compute until somebody stops it."""
    context.progress(0)
    number = 0
    while True:
        number += 1


@tool
def speak(lines: int) -> int:
    """Call back into the host again and again."""
    context = Context.current()
    for number in range(lines):
        context.log(f"line {number}")
        context.progress(number, lines)
    return lines


@tool(timeout_seconds=None)
def sleep_in_c(seconds: float, context: Context) -> str:
    """Sleep where nothing reaches it."""
    sleep_out_of_reach(seconds, context)
    return "late"


class Slow(Toolset):
    """Calls that take turns."""

    @tool_method(timeout_seconds=None)
    def sleep_in_turn(self, seconds: float, context: Context) -> str:
        """Sleep where nothing reaches it, alone."""
        sleep_out_of_reach(seconds, context)
        return "late"


@tool
async def sleep_awaiting(context: Context) -> str:
    """Sleep where one can be woken."""
    context.progress(0)
    await asyncio.sleep(60)
    return "late"
