"""Owns keeping a tool from ending the process of its host by the functions that Python has for that.

They raise `SystemExit` during a call, which is a failure like any other. Must not touch a process that a tool
forked, nor what the application does outside of calls.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import NoReturn

from .current import CURRENT
from .replacing import replace

__all__ = ["install"]

_host = os.getpid()


def install() -> None:
    """Watch `os._exit` and `os.abort`; does nothing where they are watched already."""
    replace(os, "_exit", _watched_exit)
    replace(os, "abort", _watched_abort)


def _watched_exit(leave: Callable[[int], NoReturn]) -> Callable[[int], NoReturn]:
    def leave_call(status: int) -> NoReturn:
        if _is_tool():
            raise SystemExit(status)
        leave(status)

    return leave_call


def _watched_abort(abort: Callable[[], NoReturn]) -> Callable[[], NoReturn]:
    def abort_call() -> NoReturn:
        if _is_tool():
            raise SystemExit(128 + signal.SIGABRT)
        abort()

    return abort_call


def _is_tool() -> bool:
    return CURRENT.get(None) is not None and os.getpid() == _host
