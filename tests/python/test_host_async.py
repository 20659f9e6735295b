"""Calls beside each other: from coroutines, threads and running loops, with the caller's context."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar

import pytest
from hosts import DOOR

from pegboard import Host

REQUEST: ContextVar[str] = ContextVar("request")


@pytest.fixture
def host():
    with Host(DOOR) as made:
        yield made


def test_awaited_calls_run_together(host):
    async def calls() -> list[str]:
        outcomes = await asyncio.gather(*(host.call_async("together", {"count": 20}) for _ in range(20)))
        return [outcome.text for outcome in outcomes]

    assert asyncio.run(calls()) == ["20"] * 20


def test_calls_from_many_threads_run_together(host):
    with ThreadPoolExecutor(10) as pool:
        outcomes = list(pool.map(lambda _: host.call("together", {"count": 10}), range(10)))
    assert [outcome.text for outcome in outcomes] == ["10"] * 10


def test_cancelling_the_awaitable_cancels_the_tool(host):
    async def cancel() -> None:
        task = asyncio.ensure_future(host.call_async("meet", {"ms": 60_000}))
        while (await host.call_async("recall")).structured != ["begins"]:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        while "ends" not in (await host.call_async("recall")).structured:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(cancel(), 30))
    assert host.call("recall").structured == ["begins", "cancelled", "ends"]


def test_a_time_limit_of_the_caller_cancels_the_tool(host):
    async def wait() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(host.call_async("meet", {"ms": 60_000}), 0.05)
        while "ends" not in (await host.call_async("recall")).structured:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(wait(), 30))
    assert "cancelled" in host.call("recall").structured


@pytest.mark.parametrize("tool", ["meet", "recall"])
def test_a_blocking_call_from_inside_a_running_loop(host, tool):
    async def call() -> str | None:
        return host.call(tool, {"ms": 1} if tool == "meet" else {}).failure

    assert asyncio.run(call()) is None


def test_hosts_and_loops_come_and_go(host):
    async def call() -> str:
        return (await host.call_async("meet", {"ms": 1})).text

    assert [asyncio.run(call()) for _ in range(3)] == ["met"] * 3


def test_a_host_as_an_async_context():
    async def use() -> str:
        async with Host(DOOR) as host:
            return (await host.call_async("add", {"a": 1})).text

    assert asyncio.run(use()) == "2"


@pytest.mark.parametrize("tool", ["variables", "variables_async"])
def test_tools_see_the_callers_context_variables(host, tool):
    token = REQUEST.set("r1")
    try:
        assert host.call(tool).structured == {"request": "r1"}
    finally:
        REQUEST.reset(token)
    assert host.call(tool).structured == {}


@pytest.mark.parametrize("tool", ["variables", "variables_async"])
def test_awaited_calls_have_the_context_of_their_own_task(host, tool):
    async def request(name: str) -> dict[str, str]:
        REQUEST.set(name)
        await asyncio.sleep(0)
        return (await host.call_async(tool)).structured

    async def requests() -> list[dict[str, str]]:
        return await asyncio.gather(*(request(f"r{number}") for number in range(5)))

    assert asyncio.run(requests()) == [{"request": f"r{number}"} for number in range(5)]


def test_async_tools_never_run_on_the_callers_loop(host):
    def loops() -> set[str]:
        return {thread.name for thread in threading.enumerate()}

    async def call() -> int:
        loop = asyncio.get_running_loop()
        await host.call_async("meet", {"ms": 1})
        return len(asyncio.all_tasks(loop))

    before = loops()
    assert asyncio.run(call()) == 1
    assert loops() == before


def test_a_batch_of_a_run_can_be_awaited(host):
    async def calls() -> list[str]:
        with host.run() as run:
            return [
                item.text for item in await run.call_all_async([("meet", {"ms": 1}), ("add", {"a": 1}, "c2")])
            ]

    assert asyncio.run(calls()) == ["met", "2"]
