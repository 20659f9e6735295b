"""Owns keeping a tool from ending the process of its host by the functions that Python has for that.

They raise `SystemExit` during a call, which is a failure like any other. Must not touch a process that a tool
forked, nor what the application does outside of calls.
"""

from __future__ import annotations

import functools
import os
import signal
from typing import NoReturn

from .current import CURRENT

__all__ = ["install"]


def install() -> None:
    """Watch `os._exit` and `os.abort`; does nothing where they are watched already."""
    leave, abort, host = os._exit, os.abort, os.getpid()
    if hasattr(leave, "_is_watched"):
        return

    def is_tool() -> bool:
        return CURRENT.get(None) is not None and os.getpid() == host

    @functools.wraps(leave)
    def watched_exit(status: int) -> NoReturn:
        if is_tool():
            raise SystemExit(status)
        leave(status)

    @functools.wraps(abort)
    def watched_abort() -> NoReturn:
        if is_tool():
            raise SystemExit(128 + signal.SIGABRT)
        abort()

    watched_exit._is_watched = True  # type: ignore[attr-defined]
    os._exit, os.abort = watched_exit, watched_abort
