"""Owns the life of toolsets that are context managers: entered before the first call, left at the end.

Runs on the event loop's thread. Must not decide when a call is the first; the runner asks before each until
it is done.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from .exceptions import summary
from .findings import Finding, warning

if TYPE_CHECKING:
    import asyncio

# asyncio itself is imported where it is used: most loads describe no context manager, and it takes 30 ms.

__all__ = ["enter_once", "leave_all", "leave_unloaded"]

_entered: list[_Life] = []


class _Life:
    """One toolset instance between entering and leaving.

    Both happen in one task of its own: what a context manager opens for a task, such as a task group, has
    to be closed in the same one.
    """

    def __init__(self, toolset: object, file: str) -> None:
        self.toolset = toolset
        self.file = file
        self.task: asyncio.Task[None] | None = None
        self.entered: asyncio.Future[None] | None = None
        self.over: asyncio.Event | None = None
        self.loop: asyncio.AbstractEventLoop | None = None

    async def enter(self) -> None:
        """Enter the toolset; a call that comes meanwhile waits too, and a failed attempt is made again."""
        import asyncio

        if self.entered is None or (self.entered.done() and not _is_fine(self.entered)):
            self.loop = asyncio.get_running_loop()
            self.over = asyncio.Event()
            self.entered = self.loop.create_future()
            name = f"pegboard {type(self.toolset).__name__}"
            self.task = asyncio.create_task(self._live(self.entered, self.over), name=name)
        await asyncio.shield(self.entered)

    async def _live(self, entered: asyncio.Future[None], over: asyncio.Event) -> None:
        toolset: Any = self.toolset
        async with AsyncExitStack() as stack:
            try:
                if hasattr(type(toolset), "__aenter__"):
                    await stack.enter_async_context(toolset)
                else:
                    stack.enter_context(toolset)
            except BaseException as failure:
                if not entered.done():
                    entered.set_exception(_carried(failure))
                return
            _entered.append(self)
            if not entered.done():
                entered.set_result(None)
            await over.wait()

    async def leave(self, grace_seconds: float) -> Finding | None:
        """Leave the toolset; returns what went wrong."""
        import asyncio

        if self.task is None or self.over is None:
            return None
        self.over.set()
        done, _ = await asyncio.wait([self.task], timeout=grace_seconds)
        name = type(self.toolset).__name__
        if not done:
            self.task.cancel()
            reason = f"the toolset {name} did not leave its context within {grace_seconds:g} s"
            return warning("close_failed", reason, path=self.file)
        if self.task.cancelled():
            return warning(
                "close_failed", f"the toolset {name} was cancelled before it was left", path=self.file
            )
        failure = self.task.exception()
        if failure is None:
            return None
        return warning("close_failed", f"the toolset {name} was not left: {summary(failure)}", path=self.file)


def enter_once(toolset: object, file: str) -> Callable[[], Awaitable[None]] | None:
    """What enters `toolset`, once however often it is called; `None` if it is no context manager."""
    kind = type(toolset)
    if not (
        (hasattr(kind, "__aenter__") and hasattr(kind, "__aexit__"))
        or (hasattr(kind, "__enter__") and hasattr(kind, "__exit__"))
    ):
        return None
    return _Life(toolset, file).enter


async def leave_all(grace_seconds: float, ending: Sequence[asyncio.Task[Any]] = ()) -> bytes:
    """Leave every toolset that was entered on this loop, the last one first; return JSON diagnostics.

    Each host has a loop of its own, and the toolsets of other hosts are none of its business.

    `ending` are the tasks of cancelled calls, whose `finally` may still need what a toolset holds.
    """
    import asyncio

    if ending:
        await asyncio.wait(ending, timeout=grace_seconds)
    loop = asyncio.get_running_loop()
    findings = []
    for life in [life for life in reversed(_entered) if life.loop is loop]:
        _entered.remove(life)
        finding = await life.leave(grace_seconds)
        if finding is not None:
            findings.append(finding.as_dict())
    return json.dumps(findings, ensure_ascii=False).encode("utf-8", "backslashreplace")


async def leave_unloaded(enters: Sequence[Callable[[], Awaitable[None]]], grace_seconds: float) -> None:
    """Leave the toolsets of tools that were unloaded, which no call uses any longer; `enters` enter them."""
    lives = {life for enter in enters if isinstance(life := getattr(enter, "__self__", None), _Life)}
    for life in [life for life in reversed(_entered) if life in lives]:
        _entered.remove(life)
        finding = await life.leave(grace_seconds)
        if finding is not None:
            print(finding.as_dict()["message"], file=sys.stderr)


def _is_fine(entered: asyncio.Future[None]) -> bool:
    return not entered.cancelled() and entered.exception() is None


def _carried(failure: BaseException) -> BaseException:
    """`failure` in a form that a future takes and that ends no loop."""
    if isinstance(failure, Exception) and not isinstance(failure, StopIteration):
        return failure
    carried = RuntimeError(f"entering the toolset failed: {summary(failure)}")
    carried.__cause__ = failure
    return carried
