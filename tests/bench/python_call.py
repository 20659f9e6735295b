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


def awaiting(host: Host, together: int) -> float:
    """Return seconds per `host.call_async`, so many of them begun and awaited at a time."""

    async def calls() -> float:
        started = time.perf_counter()
        for _ in range(CALLS // 4 // together):
            if together == 1:
                await host.call_async("noop")
            else:
                await asyncio.gather(*(host.call_async("noop") for _ in range(together)))
        return (time.perf_counter() - started) / (CALLS // 4 // together * together)

    return asyncio.run(calls())


def main() -> None:
    """Take turns and print the ratios."""
    tools = str(FOLDER / "tools")
    with Host(tools, timeout=None) as host, Host(tools) as limited:
        lines = [
            ("host.call", lambda: waiting(host), 1.0),
            ("host.call with the time limit that hosts have", lambda: waiting(limited), None),
            ("host.call_async, one at a time", lambda: awaiting(host, 1), None),
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
