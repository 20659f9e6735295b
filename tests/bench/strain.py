"""The baselines of the bench about memory and waiting; runs in one module with a plain copy of the tools."""

import asyncio
import sys
import threading
import time


def resident():
    """Return the megabytes that this process has for itself."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("RssAnon")) / 1024


def sleeping_megabytes(count):
    """Return what coroutines that sleep take in one loop."""

    async def main():
        before = resident()
        sleeping = asyncio.gather(*[long_nap() for _ in range(count)])  # noqa: F821
        await asyncio.sleep(1)
        taken = resident() - before
        await sleeping
        return taken

    return asyncio.run(main())


def waiting_milliseconds(computing, seconds):
    """Return the p99 of no-ops sent to a loop beside threads that compute, by CPython's own interval."""
    sys.setswitchinterval(0.005)
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    threads = [threading.Thread(target=compute, args=(seconds,)) for _ in range(computing)]  # noqa: F821
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    started = time.perf_counter()
    waits = []
    while time.perf_counter() - started < seconds - 1:
        asked = time.perf_counter()
        asyncio.run_coroutine_threadsafe(noop(), loop).result()  # noqa: F821
        waits.append((time.perf_counter() - asked) * 1e3)
    for thread in threads:
        thread.join()
    return sorted(waits)[len(waits) * 99 // 100]
