"""Tools that leave in every way that Python knows."""

import asyncio
import os
import sys
import threading

from pegboard import Stop, tool


@tool
def leave(status: int) -> str:
    """Try to end the process."""
    sys.exit(status)


@tool
async def leave_later(status: int) -> str:
    """Try to end the process from the event loop."""
    await asyncio.sleep(0)
    sys.exit(status)


@tool
def interrupt() -> str:
    """Raise what Ctrl-C raises."""
    raise KeyboardInterrupt


@tool
async def interrupt_loop() -> str:
    """Raise what Ctrl-C raises, on the event loop."""
    raise KeyboardInterrupt


@tool
def close_generator() -> str:
    """Raise what closes a generator."""
    raise GeneratorExit


@tool
def cancel() -> str:
    """Raise what cancels a task, from a thread."""
    raise asyncio.CancelledError


@tool
async def cancel_loop() -> str:
    """Raise what cancels a task, from the event loop."""
    raise asyncio.CancelledError


@tool
def stop_iteration(numbers: list[int]) -> int:
    """Return the first number over ten."""
    return next(number for number in numbers if number > 10)


@tool
async def stop_iteration_loop(numbers: list[int]) -> int:
    """Return the first number over ten, on the event loop."""
    return next(number for number in numbers if number > 10)


class Unprintable(Exception):
    """An exception that cannot be shown."""

    def __str__(self) -> str:
        """Fail."""
        raise RuntimeError("no text")


@tool
def unprintable() -> str:
    """Raise an exception whose text fails."""
    raise Unprintable


@tool
def recursion() -> str:
    """Call itself until Python has enough."""
    return recursion()


@tool
def memory() -> str:
    """Ask for more memory than there is."""
    raise MemoryError


@tool
async def group() -> str:
    """Fail inside a task group."""

    async def fail() -> None:
        raise ValueError("bad port 0")

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(fail())
    return "unreachable"


@tool
def own_timeout() -> str:
    """Raise a timeout of its own."""
    raise TimeoutError("database")


@tool
def enough() -> str:
    """End the run."""
    raise Stop("that is all")


@tool(catch=False)
def aborting(name: str) -> str:
    """Raise what nobody catches."""
    raise LookupError(name)


@tool(catch=[ConnectionError])
def listed(kind: str) -> str:
    """Raise one of the listed exceptions or another."""
    raise ConnectionError("refused") if kind == "listed" else LookupError("other")


@tool
def fine(number: int = 1) -> dict[str, int]:
    """Work as expected."""
    return {"number": number}


@tool
def leave_at_once(status: int) -> None:
    """Leave the process without any ceremony."""
    os._exit(status)


@tool
def abort() -> None:
    """Give the process up."""
    os.abort()


class Touchy:
    """Cannot even be asked what it is."""

    @property
    def __class__(self) -> type:
        """Raise."""
        raise SystemExit(5)


@tool
def touchy_note() -> None:
    """Raise what cannot be looked at."""
    error = ValueError("with a note")
    error.__notes__ = [Touchy()]
    raise error


@tool
async def stop_the_loop() -> str:
    """Stop the loop that runs the tool."""
    asyncio.get_running_loop().stop()
    await asyncio.sleep(0.01)
    return "goes on"


@tool
def print_half_a_pair() -> None:
    """Write what is no UTF-8."""
    print("half \udc80 of it")


@tool
def leave_from_a_thread() -> str:
    """Leave the process from a thread, and from a thread of that one."""

    def start_and_leave() -> None:
        inner = threading.Thread(target=os._exit, args=(7,))
        inner.start()
        inner.join()
        os.abort()

    outer = threading.Thread(target=start_and_leave)
    outer.start()
    outer.join()
    return "goes on"


@tool
async def leave_from_a_handler() -> str:
    """Leave the process from where the event loop tells of faults."""
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda loop, context: os._exit(7))
    loop.call_soon(lambda: 1 / 0)
    await asyncio.sleep(0.01)
    loop.set_exception_handler(None)
    return "goes on"


class Nameless(type):
    """Cannot say what its classes are called."""

    @property
    def __name__(cls) -> str:
        """Raise."""
        raise SystemExit(5)


class NamelessError(Exception, metaclass=Nameless):
    """Raised without a name."""


@tool
def nameless() -> None:
    """Raise what cannot say its name."""
    raise NamelessError("but its text")
