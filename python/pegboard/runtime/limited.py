"""Owns running jobs in order under a time limit each, without letting a slow one hold up the others.

Must not know what the jobs do. They run on threads of their own, which have no event loop.
"""

from __future__ import annotations

import contextvars
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Generic, TypeVar

__all__ = ["Overdue", "TimedOut", "run_each"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TimedOut:
    """Stands for the result of a job that did not end within the limit."""

    stack: tuple[tuple[str, int], ...]
    """Where the job was then: files and lines, the innermost last."""


class Overdue(BaseException):
    """Raised inside a job whose time is over, so that it ends at its next step."""


_PATIENCE_SECONDS = 1.0


def run_each(jobs: Sequence[Callable[[], T]], limit_seconds: float) -> list[T | TimedOut]:
    """Run the jobs in order and return their results in order.

    A job that takes long keeps its thread, and another thread goes on with the rest. Jobs must not raise.
    """
    line = _Line(jobs)
    patience = min(_PATIENCE_SECONDS, limit_seconds / 2)
    with line.changed:
        line.start_thread()
        while not line.finished(limit_seconds):
            now = time.monotonic()
            if line.newest_is_slow(now, patience):
                line.start_thread()
            line.changed.wait(line.seconds_to_next_event(now, patience, limit_seconds))
        line.closed = True
        outcomes: dict[int, T | TimedOut] = dict(line.results)
        for index, thread in line.threads.items():
            if index not in outcomes:
                outcomes[index] = TimedOut(_stack(thread))
                _interrupt(thread)
        return [outcomes[index] for index in range(len(jobs))]


class _Line(Generic[T]):
    """The state that the threads share, guarded by `changed`."""

    def __init__(self, jobs: Sequence[Callable[[], T]]) -> None:
        self.jobs = jobs
        self.changed = threading.Condition()
        self.next = 0
        self.started: dict[int, float] = {}
        self.threads: dict[int, int] = {}
        self.results: dict[int, T] = {}
        self.worker = 0
        self.closed = False
        self.context = contextvars.copy_context()

    def start_thread(self) -> None:
        self.worker += 1
        target = contextvars.Context.run
        threading.Thread(
            target=target,
            args=(self.context.copy(), self.work, self.worker),
            name="pegboard-import",
            daemon=True,
        ).start()

    def work(self, worker: int) -> None:
        while True:
            with self.changed:
                # Only the newest thread takes jobs: the others were found slow.
                if self.closed or worker != self.worker or self.next >= len(self.jobs):
                    return
                index = self.next
                self.next += 1
                self.started[index] = time.monotonic()
                self.threads[index] = threading.get_ident()
            try:
                result = self.jobs[index]()
            except Overdue:
                return
            with self.changed:
                self.results[index] = result
                self.changed.notify_all()

    def finished(self, limit: float) -> bool:
        now = time.monotonic()
        waiting = any(index not in self.results and now - at < limit for index, at in self.started.items())
        return self.next >= len(self.jobs) and not waiting

    def newest_is_slow(self, now: float, patience: float) -> bool:
        index = self.next - 1
        return (
            self.next < len(self.jobs)
            and index in self.started
            and index not in self.results
            and now - self.started[index] >= patience
        )

    def seconds_to_next_event(self, now: float, patience: float, limit: float) -> float:
        moments = [
            at + wait
            for index, at in self.started.items()
            if index not in self.results
            for wait in (patience, limit)
            if at + wait > now
        ]
        return max(min(moments, default=now + patience) - now, 0.001)


def _stack(thread: int) -> tuple[tuple[str, int], ...]:
    frame: FrameType | None = sys._current_frames().get(thread)
    places: list[tuple[str, int]] = []
    while frame is not None:
        places.append((frame.f_code.co_filename, frame.f_lineno))
        frame = frame.f_back
    return tuple(reversed(places))


def _interrupt(thread: int) -> None:
    """Ask a thread to stop at its next step of Python; one that waits in C stops when it returns."""
    import ctypes

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Overdue))
