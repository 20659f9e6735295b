"""The tools that the benches call."""

import asyncio
import time

from pydantic import BaseModel

from pegboard import tool


@tool
def small(a: int, b: str = "x") -> dict[str, object]:
    """Return a small dict."""
    return {"a": a, "b": b}


class Row(BaseModel):
    """Six fields."""

    a: int
    b: int
    c: str
    d: str
    e: float
    f: bool


@tool
def nested(rows: list[Row]) -> int:
    """Take many nested models."""
    return len(rows)


@tool(offload=False)
def long_text() -> str:
    """Return a megabyte of text."""
    return LONG_TEXT


@tool(offload=False)
def long_rows() -> list[dict[str, object]]:
    """Return a megabyte of rows."""
    return LONG_ROWS


@tool
async def noop() -> int:
    """Do nothing."""
    return 1


@tool
async def nap() -> int:
    """Sleep for ten milliseconds."""
    await asyncio.sleep(0.01)
    return 1


@tool
async def long_nap() -> int:
    """Sleep for two seconds."""
    await asyncio.sleep(2)
    return 1


@tool
def compute(seconds: float) -> int:
    """Compute in Python until the time is over."""
    end = time.perf_counter() + seconds
    number = 0
    while time.perf_counter() < end:
        number += 1
    return number


LONG_TEXT = "x" * 1_000_000
LONG_ROWS: list[dict[str, object]] = [{"i": i, "name": f"row {i}", "value": i / 7} for i in range(20_000)]
