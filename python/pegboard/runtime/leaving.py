"""Owns keeping a tool from ending the process of its host by the functions that Python has for that.

They raise `SystemExit` during a call, which is a failure like any other, and in what a tool left behind: its
threads, and what it put into the event loop. Must not touch a process that a tool forked, nor what the
application does.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import NoReturn

from .current import CURRENT
from .leftover import is_left
from .replacing import replace

__all__ = ["install", "keep_thread"]

_host = os.getpid()
_thread = threading.local()


def install() -> None:
    """Watch `os._exit` and `os.abort`; does nothing where they are watched already."""
    replace(os, "_exit", _watched_exit)
    replace(os, "abort", _watched_abort)


def keep_thread() -> None:
    """Take all that this thread does for the doing of tools: it runs an event loop that is theirs."""
    _thread.is_kept = True


def _watched_exit(leave: Callable[[int], NoReturn]) -> Callable[[int], NoReturn]:
    def leave_call(status: int) -> NoReturn:
        _refuse(status)
        leave(status)

    return leave_call


def _watched_abort(abort: Callable[[], NoReturn]) -> Callable[[], NoReturn]:
    def abort_call() -> NoReturn:
        _refuse(128 + signal.SIGABRT)
        abort()

    return abort_call


def _refuse(status: int) -> None:
    """Raise `SystemExit` instead of what a tool asks for."""
    if os.getpid() != _host:
        return
    if CURRENT.get(None) is not None:
        raise SystemExit(status)
    if hasattr(_thread, "is_kept") or is_left(threading.current_thread()):
        # Nobody is told of what is raised here.
        print(f"what a tool left behind tried to leave the process with status {status}", file=sys.stderr)
        raise SystemExit(status)
