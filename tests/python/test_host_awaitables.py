"""What a caller awaits: a future of its own loop, whichever loop that is and whatever becomes of it."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
import uvloop
from hosts import TOOLS

from pegboard import Host, UnknownToolError

NOTES = TOOLS / "awaited"
CALLING = """\
import handed_over
from pegboard import tool


@tool
async def relay(times: int) -> str:
    if times == 0:
        return "there"
    return (await handed_over.host.call_async("relay", {"times": times - 1})).text
"""


STOPPING = """\
from pegboard import tool


@tool(catch=False)
def stops() -> None:
    raise StopIteration(3)
"""


HOLDING = """\
import asyncio
import handed_over
from pegboard import tool


@tool
def holds_its_thread() -> bool:
    handed_over.begun.set()
    return handed_over.let_go.wait(30)


@tool
async def holds_its_task() -> None:
    handed_over.begun_tasks += 1
    try:
        await asyncio.Event().wait()
    finally:
        handed_over.ended_tasks += 1
"""


class WithoutReaders(asyncio.SelectorEventLoop):
    """A loop that watches no descriptors for others."""

    def add_reader(self, fd, callback, *args):
        raise NotImplementedError


@pytest.fixture
def host():
    with Host(NOTES) as made:
        made.call("forget")
        yield made


@pytest.mark.parametrize(
    "new_loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"]
)
def test_many_calls_at_a_time_on_any_loop(host, new_loop):
    async def calls() -> list[str]:
        added = [host.call_async("note", {"text": str(number)}) for number in range(500)]
        met = [host.call_async("meet", {"ms": 1}) for _ in range(500)]
        return [outcome.text for outcome in await asyncio.gather(*added, *met)]

    with asyncio.Runner(loop_factory=new_loop) as runner:
        assert runner.run(calls()) == [str(number) for number in range(500)] + ["met"] * 500


def test_loops_in_several_threads(host):
    async def calls() -> list[str]:
        return [(await host.call_async("meet", {"ms": 1})).text for _ in range(20)]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda _: asyncio.run(calls()), range(8))) == [["met"] * 20] * 8


def test_it_is_a_future_of_the_running_loop(host):
    async def call() -> None:
        called = host.call_async("note", {"text": "it"})
        assert isinstance(called, asyncio.Future)
        assert called.get_loop() is asyncio.get_running_loop()
        assert not called.done()
        assert (await called).text == "it"
        assert called.result().text == "it"
        with pytest.raises(UnknownToolError):
            await host.call_async("nothing")

    asyncio.run(call())


def test_it_is_a_coroutine_for_those_that_take_nothing_else(host):
    async def calls() -> list[str]:
        first = asyncio.create_task(host.call_async("note", {"text": "first"}))
        async with asyncio.TaskGroup() as group:
            second = group.create_task(host.call_async("meet", {"ms": 1}), name="second")
        with pytest.raises(UnknownToolError):
            await asyncio.create_task(host.call_async("nothing"))
        return [(await first).text, second.result().text]

    assert asyncio.run(calls()) == ["first", "met"]


def test_a_loop_that_runs_later_runs_it(host):
    assert asyncio.run(host.call_async("note", {"text": "it"})).text == "it"
    with pytest.raises(UnknownToolError):
        asyncio.run(host.call_async("nothing"))
    with pytest.warns(RuntimeWarning, match="never awaited"):
        del [host.call_async("note", {"text": "never"})][0]
    assert host.call("recall").structured == ["it"]


@pytest.mark.parametrize("steps", [0, 1, 20])
def test_cancelling_its_task_cancels_the_call(host, steps):
    async def call() -> None:
        task = asyncio.create_task(host.call_async("meet", {"ms": 60_000}))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await host.call_async("note", {"text": "later"})).text == "later"
        while (notes := host.call("recall").structured).count("begins") != notes.count("ends"):
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(call(), 30))


def test_it_begins_without_being_awaited(host):
    async def call() -> list[str]:
        called = host.call_async("note", {"text": "asked"})
        while (notes := host.call("recall").structured) == []:
            await asyncio.sleep(0)
        await called
        return notes

    assert asyncio.run(asyncio.wait_for(call(), 30)) == ["asked"]


def test_one_that_was_cancelled_before_it_began_never_runs(host):
    async def call() -> None:
        called = host.call_async("note", {"text": "asked"})
        assert called.cancel()
        assert not called.cancel()
        with pytest.raises(asyncio.CancelledError):
            await called
        await host.call_async("note", {"text": "later"})

    asyncio.run(call())
    assert host.call("recall").structured == ["later"]


def test_a_coroutine_that_only_calls_lets_others_in(host):
    async def calls() -> int:
        others = 0

        async def other() -> None:
            nonlocal others
            while True:
                others += 1
                await asyncio.sleep(0)

        running = asyncio.ensure_future(other())
        for _ in range(20_000):
            await host.call_async("note", {"text": "it"})
            if others > 3:
                break
        running.cancel()
        return others

    assert asyncio.run(calls()) > 3


def test_a_call_ends_with_the_loop_that_waits_for_it(host):
    async def leave() -> weakref.ref[asyncio.AbstractEventLoop]:
        host.call_async("meet", {"ms": 60_000})
        while (await host.call_async("recall")).structured != ["begins"]:
            await asyncio.sleep(0)
        return weakref.ref(asyncio.get_running_loop())

    async def look() -> None:
        while "ends" not in (await host.call_async("recall")).structured:
            await asyncio.sleep(0)

    left = asyncio.run(leave())
    # The next loop that calls finds that the other is closed.
    asyncio.run(asyncio.wait_for(look(), 30))
    gc.collect()
    assert left() is None


def test_a_tool_can_call_from_the_hosts_own_loop(tmp_path, monkeypatch):
    (tmp_path / "relay.py").write_text(CALLING)
    handed_over = SimpleNamespace(host=None)
    monkeypatch.setitem(sys.modules, "handed_over", handed_over)

    async def call(host: Host) -> list[str]:
        outcomes = await asyncio.gather(*(host.call_async("relay", {"times": 5}) for _ in range(20)))
        return [outcome.text for outcome in outcomes]

    with Host(tmp_path) as handed_over.host:
        assert asyncio.run(asyncio.wait_for(call(handed_over.host), 30)) == ["there"] * 20


def test_a_tool_that_holds_its_thread_does_not_hold_the_callers_loop(tmp_path, monkeypatch):
    (tmp_path / "holding.py").write_text(HOLDING)
    handed_over = SimpleNamespace(begun=threading.Event(), let_go=threading.Event())
    monkeypatch.setitem(sys.modules, "handed_over", handed_over)

    async def call(host: Host) -> object:
        called = asyncio.ensure_future(host.call_async("holds_its_thread"))
        while not handed_over.begun.is_set():
            await asyncio.sleep(0)
        assert not called.done()
        handed_over.let_go.set()
        return (await called).structured

    with Host(tmp_path, timeout=None) as host:
        assert asyncio.run(asyncio.wait_for(call(host), 60)) is True


def test_each_of_many_cancelled_calls_ends_once(tmp_path, monkeypatch):
    (tmp_path / "holding.py").write_text(HOLDING)
    handed_over = SimpleNamespace(begun_tasks=0, ended_tasks=0)
    monkeypatch.setitem(sys.modules, "handed_over", handed_over)

    async def call(host: Host) -> list[object]:
        open_calls = [host.call_async("holds_its_task") for _ in range(1000)]
        while handed_over.begun_tasks < 1000:
            await asyncio.sleep(0)
        for one in open_calls:
            one.cancel()
        ended = await asyncio.gather(*open_calls, return_exceptions=True)
        while handed_over.ended_tasks < 1000:
            await asyncio.sleep(0)
        return ended

    with Host(tmp_path) as host:
        ended = asyncio.run(asyncio.wait_for(call(host), 60))
    assert [type(one) for one in ended] == [asyncio.CancelledError] * 1000
    assert handed_over.ended_tasks == 1000


def test_a_loop_that_watches_no_descriptors_is_refused_with_another_way(host):
    async def call() -> str:
        with pytest.raises(RuntimeError, match=r"WithoutReaders.*asyncio\.to_thread"):
            host.call_async("note", {"text": "refused"})
        return (await asyncio.to_thread(host.call, "note", {"text": "it"})).text

    with asyncio.Runner(loop_factory=WithoutReaders) as runner:
        assert runner.run(call()) == "it"
    assert host.call("recall").structured == ["it"]


def test_what_no_future_can_hold_is_told_all_the_same(tmp_path):
    (tmp_path / "stops.py").write_text(STOPPING)

    async def call(host: Host) -> str:
        with pytest.raises(RuntimeError, match="StopIteration") as raised:
            await host.call_async("stops")
        assert isinstance(raised.value.__cause__, StopIteration)
        return str(raised.value)

    with Host(tmp_path) as host:
        asyncio.run(asyncio.wait_for(call(host), 30))


def test_closing_from_the_loop_answers_what_is_open():
    async def close() -> None:
        async with Host(NOTES) as other:
            called = other.call_async("meet", {"ms": 60_000})
            while (await other.call_async("recall")).structured != ["begins"]:
                await asyncio.sleep(0)
        assert (await called).failure.kind == "cancelled"

    asyncio.run(asyncio.wait_for(close(), 30))
