"""Owns the life of toolsets that are context managers: entered before the first call, left when the host closes.

Runs on the event loop's thread. Must not decide when a call is the first; the runner asks before each until it is done.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

from .exceptions import summary
from .findings import warning

__all__ = ["enter_once", "leave_all"]

_entered: list[_Entry] = []


class _Entry:
    """One toolset instance and the stack that leaves it."""

    def __init__(self, toolset: object, file: str) -> None:
        self.toolset = toolset
        self.file = file
        self.stack = AsyncExitStack()
        self.entering: asyncio.Task[None] | None = None

    async def enter(self) -> None:
        # Calls that come while the first one enters wait for the same task; a failed attempt is made again.
        if self.entering is None or (
            self.entering.done() and (self.entering.cancelled() or self.entering.exception() is not None)
        ):
            self.entering = asyncio.create_task(self._enter())
        await asyncio.shield(self.entering)

    async def _enter(self) -> None:
        toolset: Any = self.toolset
        if hasattr(type(toolset), "__aenter__"):
            await self.stack.enter_async_context(toolset)
        else:
            self.stack.enter_context(toolset)
        _entered.append(self)


def enter_once(toolset: object, file: str) -> Callable[[], Awaitable[None]] | None:
    """What enters `toolset` on its first call, or `None` if it is no context manager."""
    kind = type(toolset)
    if not (
        (hasattr(kind, "__aenter__") and hasattr(kind, "__aexit__"))
        or (hasattr(kind, "__enter__") and hasattr(kind, "__exit__"))
    ):
        return None
    return _Entry(toolset, file).enter


async def leave_all(grace_seconds: float) -> bytes:
    """Leave every entered toolset, the last one first; returns what went wrong as a JSON list of diagnostics."""
    findings = []
    while _entered:
        entry = _entered.pop()
        name = type(entry.toolset).__name__
        try:
            async with asyncio.timeout(grace_seconds):
                await entry.stack.aclose()
        except TimeoutError:
            reason = f"did not leave its context within {grace_seconds:g} s"
            findings.append(warning("close_failed", f"the toolset {name} {reason}", path=entry.file))
        except BaseException as failure:
            if isinstance(failure, asyncio.CancelledError) and asyncio.current_task() is not None:
                raise
            findings.append(
                warning("close_failed", f"the toolset {name} was not left: {summary(failure)}", path=entry.file)
            )
    return json.dumps([finding.as_dict() for finding in findings], ensure_ascii=False).encode()
