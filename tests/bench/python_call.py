"""Measures `host.call` from Python against careful pure Python: everything cached, JSON text in and out.

`python tests/bench/python_call.py` with a Python that has pegboard, built with optimisation. Both take turns
in one process; it prints the median of the rounds' ratios, target and verdict.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

from baseline import careful  # noqa: E402

from pegboard import Host  # noqa: E402

ROUNDS = 9
CALLS = 20_000
TEXT = '{"a": 1, "b": "hello"}'


def small(a: int, b: str = "x") -> dict[str, object]:
    """Return a small dict, as the measured tool of the same name does."""
    return {"a": a, "b": b}


def waiting(host: Host) -> float:
    """Return seconds per `host.call`."""
    started = time.perf_counter()
    for _ in range(CALLS):
        host.call("small", TEXT)
    return (time.perf_counter() - started) / CALLS


def awaiting(host: Host, concurrency: int) -> float:
    """Return seconds per `host.call_async`."""

    async def one() -> None:
        for _ in range(CALLS // concurrency // 4):
            await host.call_async("noop")

    async def many() -> float:
        started = time.perf_counter()
        await asyncio.gather(*[one() for _ in range(concurrency)])
        return (time.perf_counter() - started) / (CALLS // concurrency // 4 * concurrency)

    return asyncio.run(many())


def main() -> None:
    """Take turns and print the ratios."""
    tools = str(FOLDER / "tools")
    with Host(tools, timeout=None) as host, Host(tools) as limited:
        lines = [
            ("host.call", lambda: waiting(host), 1.0),
            ("host.call with the time limit that hosts have", lambda: waiting(limited), None),
            ("host.call_async, 100 at a time", lambda: awaiting(host, 100), None),
        ]
        for what, ours, target in lines:
            rounds = [(careful(small, TEXT, CALLS), ours()) for _ in range(ROUNDS)]
            ratio = statistics.median(taken / base for base, taken in rounds)
            base, taken = (statistics.median(side) * 1e6 for side in zip(*rounds, strict=True))
            verdict = (
                ""
                if target is None
                else f"  target {target:.2f}: {'reached' if ratio <= target else 'missed'}"
            )
            print(
                f"{what:46} {taken:7.2f} µs  {ratio:5.2f} times careful pure Python ({base:.2f} µs){verdict}"
            )


if __name__ == "__main__":
    main()
