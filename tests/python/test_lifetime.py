"""Toolsets that are context managers: entered once, left in the same task, in good order."""

from __future__ import annotations

import asyncio
import json

import pytest

from pegboard.runtime.lifetime import enter_once, leave_all


class Recorder:
    def __init__(self, log: list[str], name: str = "a") -> None:
        self.log, self.name = log, name
        self.task: object = None


class Async(Recorder):
    async def __aenter__(self) -> None:
        await asyncio.sleep(0)
        self.task = asyncio.current_task()
        self.log.append(f"enter {self.name}")

    async def __aexit__(self, *details: object) -> None:
        assert asyncio.current_task() is self.task
        self.log.append(f"leave {self.name}")


class Sync(Recorder):
    def __enter__(self) -> None:
        self.log.append(f"enter {self.name}")

    def __exit__(self, *details: object) -> None:
        self.log.append(f"leave {self.name}")


class Base(Async):
    """Inherits being a context manager."""


async def left(grace: float = 1.0) -> list[dict[str, object]]:
    return json.loads(await leave_all(grace))


def test_what_is_no_context_manager_is_not_entered():
    assert enter_once(object(), "f.py") is None


@pytest.mark.parametrize("kind", [Async, Sync, Base])
def test_it_is_entered_once_and_left(kind):
    log: list[str] = []

    async def main():
        enter = enter_once(kind(log), "f.py")
        await asyncio.gather(enter(), enter(), enter())
        await enter()
        assert log == ["enter a"]
        assert await left() == []
        assert await left() == []

    asyncio.run(main())
    assert log == ["enter a", "leave a"]


def test_the_last_entered_is_left_first():
    log: list[str] = []

    async def main():
        for name in ("a", "b"):
            await enter_once(Async(log, name), "f.py")()
        await left()

    asyncio.run(main())
    assert log == ["enter a", "enter b", "leave b", "leave a"]


def test_a_toolset_that_was_never_used_is_not_left():
    log: list[str] = []

    async def main():
        enter_once(Async(log), "f.py")
        return await left()

    assert asyncio.run(main()) == []
    assert log == []


@pytest.mark.parametrize("failure", [ConnectionError("no server"), SystemExit(3), StopIteration("x")])
def test_a_failed_entry_reaches_every_call_and_is_tried_again(failure):
    class Flaky:
        attempts = 0

        async def __aenter__(self) -> None:
            type(self).attempts += 1
            if self.attempts == 1:
                raise failure

        async def __aexit__(self, *details: object) -> None: ...

    async def main():
        enter = enter_once(Flaky(), "f.py")
        outcomes = await asyncio.gather(enter(), enter(), return_exceptions=True)
        assert all(isinstance(outcome, Exception) for outcome in outcomes)
        assert type(failure).__name__ in f"{type(outcomes[0]).__name__} {outcomes[0]}"
        await enter()
        return await left()

    assert asyncio.run(main()) == []
    assert Flaky.attempts == 2


def test_a_call_that_is_cancelled_while_entering_harms_no_other():
    log: list[str] = []

    async def main():
        enter = enter_once(Async(log), "f.py")
        first, second = asyncio.create_task(enter()), asyncio.create_task(enter())
        await asyncio.sleep(0)
        first.cancel()
        await second
        with pytest.raises(asyncio.CancelledError):
            await first
        await left()

    asyncio.run(main())
    assert log == ["enter a", "leave a"]


def test_failing_and_endless_exits_are_reported():
    class Failing:
        async def __aenter__(self) -> None: ...

        async def __aexit__(self, *details: object) -> None:
            raise OSError("broken")

    class Endless(Failing):
        async def __aexit__(self, *details: object) -> None:
            await asyncio.sleep(60)

    async def main():
        await enter_once(Failing(), "failing.py")()
        await enter_once(Endless(), "endless.py")()
        return await left(0.05)

    endless, failing = asyncio.run(main())
    assert (failing["code"], failing["severity"], failing["path"]) == (
        "close_failed",
        "warning",
        "failing.py",
    )
    assert failing["message"] == "the toolset Failing was not left: OSError: broken"
    assert endless["message"] == "the toolset Endless did not leave its context within 0.05 s"


def test_toolsets_get_what_enters_them(load_text):
    loaded = load_text(
        """
from pegboard import Toolset, tool_method

class Managed(Toolset):
    open: bool = False

    async def __aenter__(self):
        self.open = True
        return self

    async def __aexit__(self, *details):
        self.open = False

    @tool_method
    def is_open(self) -> bool: return self.open

    @tool_method
    def also(self) -> bool: return self.open

class Unmanaged(Toolset):
    @tool_method
    def unmanaged(self) -> str: return ""
"""
    )
    assert loaded.tools["unmanaged"].enter is None
    assert loaded.tools["is_open"].enter == loaded.tools["also"].enter

    async def main():
        await loaded.tools["is_open"].enter()
        assert loaded.call("is_open") is True
        await left()

    asyncio.run(main())
    assert loaded.call("is_open") is False
