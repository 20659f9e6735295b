"""Owns letting the process end although threads that tools left behind still run.

Python waits at its end for every thread that is no daemon, and for every worker of `concurrent.futures`.
Must not stop a thread, nor touch those that the application started.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import Any
from weakref import WeakSet

from .current import CURRENT
from .replacing import replace

__all__ = ["install", "is_left"]

GRACE_SECONDS = 1.0
"""How long workers may still take at the end of the process."""

_left: WeakSet[threading.Thread] = WeakSet()
_ends_watched = False


def install() -> None:
    """Watch which threads tools start; does nothing where that is done already."""
    replace(threading.Thread, "start", _noted)


def is_left(thread: threading.Thread) -> bool:
    """Whether a tool started a thread, or a thread that a tool started did."""
    return thread in _left


def _noted(start: Callable[[threading.Thread], None]) -> Callable[[threading.Thread], None]:
    def noted(thread: threading.Thread) -> None:
        if thread.ident is None and (CURRENT.get(None) is not None or is_left(threading.current_thread())):
            _left.add(thread)
            thread.daemon = True
            _watch_the_end()
        start(thread)

    return noted


def _watch_the_end() -> None:
    """Be asked at the end of the process before `concurrent.futures` is, which waits for its workers then."""
    global _ends_watched
    # The last to register is the first to be asked.
    register: Any = getattr(threading, "_register_atexit", None)
    if _ends_watched or register is None or "concurrent.futures.thread" not in sys.modules:
        return
    _ends_watched = True
    try:
        register(_let_go)
    except RuntimeError:
        # The process ends already.
        return


def _let_go() -> None:
    """Give the workers that tools left behind a moment, and have nobody wait for the rest."""
    futures: Any = sys.modules["concurrent.futures.thread"]
    with futures._global_shutdown_lock:
        futures._shutdown = True
    workers = {thread: queue for thread, queue in futures._threads_queues.items() if thread in _left}
    for queue in workers.values():
        queue.put(None)
    end = time.monotonic() + GRACE_SECONDS
    for thread in workers:
        thread.join(max(0.0, end - time.monotonic()))
        if thread.is_alive():
            futures._threads_queues.pop(thread, None)
