"""Tools that are served: quick ones, failing ones, and ones that take their time."""

import asyncio
import sys
from pathlib import Path

from pegboard import tool
from pydantic import BaseModel


class Node(BaseModel):
    """A node of a tree."""

    name: str
    children: list["Node"] = []


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@tool
def greet(name: str = "world") -> str:
    """Greet somebody."""
    print("greeting", name)
    return f"hello {name}"


@tool
def depth(tree: Node) -> int:
    """Tell how deep a tree is."""
    return 1 + max((depth(child) for child in tree.children), default=0)


@tool
def fail(message: str) -> str:
    """Raise an error."""
    raise ValueError(message)


@tool(catch=False)
def abort(message: str) -> str:
    """Raise an error that the tool's policy does not catch."""
    print("about to abort", file=sys.stderr)
    raise RuntimeError(message)


@tool
def long(characters: int) -> str:
    """Return a long text."""
    return "x" * characters


@tool(name="odd name/ü")
def odd() -> str:
    """Have a name that a path cannot hold as it is."""
    return "odd"


@tool
async def wait(folder: str, seconds: float = 60.0) -> str:
    """Wait, and leave a trace of how that ended."""
    trace = Path(folder)
    (trace / "begun").touch()
    try:
        await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        (trace / "cancelled").touch()
        raise
    return "waited"


@tool
def picture() -> bytes:
    """Return bytes that are no text."""
    return b"\x89PNG\r\n\x1a\n\xff"
