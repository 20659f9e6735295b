"""Owns the answer to "which call is running here", for output, for contexts and for code deeper down.

Must not start or end calls; a runner does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Literal, Protocol

__all__ = ["CURRENT", "CallHandle", "Stream", "run"]

Stream = Literal["stdout", "stderr", "log"]


class CallHandle(Protocol):
    """What a runner gives a running call to speak through. Its methods may be called from any thread."""

    @property
    def call_id(self) -> str:
        """The call's id."""
        ...

    @property
    def tool(self) -> str:
        """The tool's real name."""
        ...

    @property
    def cancelled(self) -> bool:
        """Whether the caller no longer waits."""
        ...

    @property
    def watched(self) -> bool:
        """Whether somebody is told how far the call has come."""
        ...

    def write(self, stream: Stream, text: str, /) -> None:
        """Keep text that the tool wrote."""
        ...

    def leave_directory(self, before: str, /) -> None:
        """Note where the process was before the tool changes its working directory."""
        ...

    def progress(self, done: float, total: float | None, message: str | None, /) -> None:
        """Report how far the call is."""
        ...


CURRENT: ContextVar[CallHandle] = ContextVar("pegboard_call")
"""The running call; unset outside of calls."""


def run(
    handle: CallHandle, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Any:
    """Call `function` as part of the call behind `handle`.

    The runner gives each call a context of its own, and `CURRENT` stays set in it: a coroutine or a
    generator runs on after its function has returned.
    """
    CURRENT.set(handle)
    return function(*args, **kwargs)
