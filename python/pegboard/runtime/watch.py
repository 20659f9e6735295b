"""Owns noticing what a tool file does to the process while it is imported, and taking it back.

Working directory, `sys.path`, signal handlers and what is installed belong to the host and to every other
file. Must not judge anything that a tool does later, during a call.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from .findings import Finding, info, warning
from .installers import Ask
from .source import Source

__all__ = ["Watch", "asked_before_installs", "is_watched", "signals_kept", "watching"]


class Watch:
    """The state of the process before one file's import."""

    def __init__(self, source: Source, path: str, *, allow_install: bool = False) -> None:
        """Take the state."""
        self._allow_install = allow_install
        self._source = source
        self._path = path
        self._folder = _working_directory()
        self._search = list(sys.path)
        self.findings: list[Finding] = []
        """What was found so far; signal handlers are added while the file runs."""

    def settle(self) -> list[Finding]:
        """Take back what the file changed, and say so."""
        folder = _working_directory()
        if folder != self._folder and self._folder is not None:
            os.chdir(self._folder)
            self.findings.append(
                warning(
                    "process_changed",
                    f"the file changed the working directory to {folder}; it was changed back",
                    path=self._path,
                    line=self._line_of("chdir("),
                    hint="use absolute paths, made from __file__",
                )
            )
        if sys.path != self._search:
            added = [entry for entry in sys.path if entry not in self._search]
            removed = [entry for entry in self._search if entry not in sys.path]
            sys.path[:] = self._search
            for entry in added:
                self._source.add_folder(entry)
            if added or removed:
                self.findings.append(self._path_finding(added, removed))
        return self.findings

    def settle_for(self, path: str) -> list[Finding]:
        """The same on behalf of the file at `path`."""
        self._path, self.findings = path, []
        return self.settle()

    def may_install(self, command: str) -> bool:
        """Whether a command that installs packages may run; says that it was met, either way."""
        line = _line_in(self._path, sys._getframe(1))
        if self._allow_install:
            self.findings.append(
                info(
                    "install_at_import",
                    f"the file ran `{command}`, as is allowed",
                    path=self._path,
                    line=line,
                )
            )
            return True
        self.findings.append(
            warning(
                "install_at_import",
                f"the file wanted to run `{command}` while it was imported; it was not run",
                path=self._path,
                line=line,
                hint="install what the file needs beforehand, or allow installing: allow_install",
            )
        )
        return False

    def _path_finding(self, added: list[str], removed: list[str]) -> Finding:
        parts = []
        if added:
            folders = ", ".join(map(str, added))
            parts.append(f"added {folders} to sys.path, where only files of this source look now")
        if removed:
            folders = ", ".join(map(str, removed))
            parts.append(f"removed {folders} from sys.path, which was taken back")
        return info(
            "process_changed",
            f"the file {' and '.join(parts)}",
            path=self._path,
            line=self._line_of("sys.path"),
        )

    def _line_of(self, text: str) -> int | None:
        try:
            with open(self._path, encoding="utf-8", errors="replace") as file:
                return next((number for number, line in enumerate(file, 1) if text in line), None)
        except OSError:
            return None


_watched: dict[int, Watch] = {}


@contextmanager
def watching(watch: Watch) -> Iterator[Watch]:
    """Let `watch` be told of what this thread does."""
    _watched[threading.get_ident()] = watch
    try:
        yield watch
    finally:
        del _watched[threading.get_ident()]


def is_watched() -> bool:
    """Whether this thread is importing a tool file."""
    return threading.get_ident() in _watched


def asked_before_installs() -> Ask | None:
    """Who decides whether this thread may install packages, if it is importing a tool file."""
    watch = _watched.get(threading.get_ident())
    return None if watch is None else watch.may_install


@contextmanager
def signals_kept() -> Iterator[None]:
    """Ignore, and note, what importing threads do to signal handlers.

    Python lets the main thread alone set them, so a file that sets one would otherwise fail as a whole.
    """
    original = signal.signal

    def keep(signalnum: int, handler: Any, /) -> Any:
        watch = _watched.get(threading.get_ident())
        if watch is None:
            return original(signalnum, handler)
        name = signal.Signals(signalnum).name
        watch.findings.append(
            warning(
                "process_changed",
                f"the file sets a handler for {name}; it was ignored because signals belong to the host",
                path=watch._path,
                line=_line_in(watch._path, sys._getframe(1)),
            )
        )
        return signal.getsignal(signalnum)

    guarded: Any = keep
    signal.signal = guarded
    try:
        yield
    finally:
        if signal.signal is guarded:
            signal.signal = original


def _line_in(path: str, frame: FrameType | None) -> int | None:
    while frame is not None:
        if frame.f_code.co_filename == path:
            return frame.f_lineno
        frame = frame.f_back
    return None


def _working_directory() -> str | None:
    try:
        return os.getcwd()
    except OSError:
        return None
