"""Measures what it costs to describe 500 tools to each provider, against `json.dumps` of the same schemas.

`python tests/bench/export.py`, with pegboard installed as a release build. Of each provider, as the tools are
declared and strict, it prints the ratio for the export with its tools as Python objects (and alone, without
them), the target, and the verdict. Rounds of both sides alternate, and medians are compared. The status is
1 if a target is missed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pegboard import Host

TARGET = 3.0
PROVIDERS = ("openai", "openai-responses", "anthropic", "gemini", "bedrock", "mcp")
WITHOUT_STRICT = ("gemini", "mcp")

FILE = '''
from enum import Enum
from typing import Annotated, Literal
from pydantic import BaseModel, Field
from pegboard import tool

class Level{n}(Enum):
    LOW = "low"
    HIGH = "high"

class Point{n}(BaseModel):
    """A place on the map."""
    x: float = Field(ge=-180, le=180, description="degrees east")
    y: float = Field(ge=-90, le=90, description="degrees north")
    label: str | None = None

class Order{n}(BaseModel):
    customer: str = Field(min_length=1, max_length=80)
    items: list[str]
    places: list[Point{n}] = []
    level: Level{n} = Level{n}.LOW

@tool
def search_{n}(
    query: Annotated[str, "what to look for"],
    limit: Annotated[int, Field(gt=0, le=100)] = 10,
    order: Literal["name", "date"] = "name",
    tags: list[str] | None = None,
) -> list[str]:
    """Search the collection for entries that fit a query."""

@tool
def place_{n}(order: Order{n}, note: str = "", urgent: bool = False) -> str:
    """Place an order for a customer."""

@tool
def move_{n}(source: Point{n}, target: Point{n}, speed: Annotated[float, Field(gt=0)] = 1.0) -> None:
    """Move from one place to another."""

@tool
def read_{n}(path: str, start: int = 0, end: int | None = None) -> str:
    """Read a part of a file."""

@tool
def set_level_{n}(level: Annotated[Level{n}, "the new level"], reason: str | None = None) -> bool:
    """Set the level of everything that follows."""
'''


def seconds(work: Callable[[], object]) -> float:
    """The time of one round."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main() -> int:
    """Measure, print, and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", type=int, default=500, help="how many tools (a multiple of 5)")
    parser.add_argument("--rounds", type=int, default=15, help="how often each side is measured")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(given.tools // 5):
            file = Path(folder) / f"tools_{number:03}.py"
            file.write_text(FILE.replace("{n}", str(number)), encoding="utf-8")
        host = Host(folder)
    with host:
        missed = measure(host, given.rounds)
    print("every target is met" if missed == 0 else f"{missed} targets are missed")
    return int(missed > 0)


def measure(host: Host, rounds: int) -> int:
    """Print a line for each provider; return how many miss the target."""
    schemas = [tool.parameters_schema for tool in host.tools]
    size = len(json.dumps(schemas))
    print(f"{len(schemas)} tools, {size / 1e3:.0f} kB of schemas, medians of {rounds} rounds")
    print(f"{'provider':<18}{'strict':<8}{'json.dumps':>12}{'export':>12}{'ratio':>8}{'alone':>8}  target")
    kinds = [(provider, False) for provider in PROVIDERS]
    kinds += [(provider, True) for provider in PROVIDERS if provider not in WITHOUT_STRICT]
    return sum(not meets_target(host, schemas, kind, rounds) for kind in sorted(kinds))


def meets_target(host: Host, schemas: list[object], kind: tuple[str, bool], rounds: int) -> bool:
    """Print one line, and whether its ratio is within the target."""
    provider, is_strict = kind
    strict = "where_possible" if is_strict else False
    dumps, whole, alone = [], [], []
    for _ in range(rounds):
        dumps.append(seconds(lambda: json.dumps(schemas)))
        alone.append(seconds(lambda: host.export(provider, strict=strict)))
        whole.append(seconds(lambda: host.export(provider, strict=strict).tools))
    base, export = statistics.median(dumps), statistics.median(whole)
    ratio = export / base
    print(
        f"{provider:<18}{'yes' if is_strict else 'no':<8}{base * 1e3:>9.2f} ms{export * 1e3:>9.2f} ms"
        f"{ratio:>8.2f}{statistics.median(alone) / base:>8.2f}"
        f"  at most {TARGET:.0f}: {'met' if ratio <= TARGET else 'missed'}"
    )
    return ratio <= TARGET


if __name__ == "__main__":
    sys.exit(main())
