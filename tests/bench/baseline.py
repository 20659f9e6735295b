"""The baselines that the benches compare with, run in the same interpreter."""

import asyncio
import json
import time

from pydantic import TypeAdapter


def bare(function, count):
    """Return seconds per bare call."""
    started = time.perf_counter()
    for _ in range(count):
        function(1)
    return (time.perf_counter() - started) / count


def careful(function, text, count):
    """Return seconds per call of careful pure Python: everything cached, JSON text in and out."""
    adapter = TypeAdapter(function)
    dump = TypeAdapter(object).dump_json
    started = time.perf_counter()
    for _ in range(count):
        dump(adapter.validate_python(json.loads(text)))
    return (time.perf_counter() - started) / count


def gather(function, concurrency, count):
    """Return seconds per call of `asyncio.gather` inside one loop."""

    async def main():
        started = time.perf_counter()
        done = 0
        while done < count:
            await asyncio.gather(*[function() for _ in range(concurrency)])
            done += concurrency
        return (time.perf_counter() - started) / done

    return asyncio.run(main())
