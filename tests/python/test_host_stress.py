"""Many threads and tasks call tools that call back, half of them give up, and nothing waits for ever."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

from conftest import TOOLS

from pegboard import Host

CALLERS = 16
CALLS = 13


def test_threads_tasks_and_callbacks_never_wait_for_each_other():
    ended = threading.Event()
    answers: list[str] = []

    def waits(host: Host, number: int) -> None:
        answers.extend(
            host.call("speak", {"lines": 50}, call_id=f"{number}-{turn}").text for turn in range(CALLS)
        )

    async def gives_up(host: Host) -> None:
        for turn in range(CALLS):
            call = asyncio.ensure_future(host.call_async("speak", {"lines": 50}))
            await asyncio.sleep(0.0005 * (turn % 3))
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)

    def formats(host: Host) -> int:
        formatted = 0
        while not ended.is_set():
            failure = host.call("run_a_loop_inside").failure
            assert failure is not None
            assert "RuntimeError" in str(failure)
            formatted += 1
        return formatted

    with Host(str(TOOLS / "process_wide")) as host, ThreadPoolExecutor(CALLERS + 1) as threads:
        formatting = threads.submit(formats, host)
        callers = [threads.submit(waits, host, number) for number in range(CALLERS // 2)]
        callers += [threads.submit(lambda: asyncio.run(gives_up(host))) for _ in range(CALLERS // 2)]
        for caller in callers:
            caller.result(120)
        ended.set()
        assert formatting.result(120) > 0
        assert answers == ["50"] * (CALLERS // 2 * CALLS)
        assert host.call("quick").text == "quick"
