"""Owns noticing, and stopping, that a tool file installs packages while it is imported.

It changes the environment of every other tool, and takes as long as a network does. The commands are looked
at that a file starts itself, in the thread that imports it. Must not concern itself with calls.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["Ask", "InstallGuard", "install_in"]

Ask = Callable[[str], bool]
"""Told the command in words; says whether it may run."""

_FAILED = 1 << 8
"""The wait status of a command that ended with 1."""

_INSTALLER = re.compile(r"(pip[0-9.]*|uv|conda|mamba|micromamba|poetry|pipx|easy_install)(\.exe)?")
_VERBS = {"install", "add", "sync"}


def install_in(command: object) -> str | None:
    """The part of a command that installs packages, in words, or `None`.

    `command` is what `subprocess` and `os.system` take: a text for a shell, or a list of words.
    """
    words = _words(command)
    for place, word in enumerate(words):
        if place and words[place - 1] == "-c" and " " in word:
            return install_in(word)
        installer = _INSTALLER.fullmatch(os.path.basename(word))
        if installer is None:
            continue
        rest = words[place + 1 :]
        verb = next((other for other in rest if not other.startswith("-")), None)
        if installer[1] == "easy_install" or verb in _VERBS:
            return " ".join([installer[1], *rest])
    return None


def _words(command: object) -> list[str]:
    if isinstance(command, str | bytes):
        text = os.fsdecode(command)
        import shlex  # only few files start commands

        try:
            return shlex.split(text.replace("\n", " ; "), comments=True)
        except ValueError:  # a quote that does not end; the shell will say so
            return text.split()
    if isinstance(command, Sequence):
        return [os.fsdecode(word) for word in command if isinstance(word, str | bytes | os.PathLike)]
    return [os.fsdecode(command)] if isinstance(command, os.PathLike) else []


class InstallGuard:
    """Has installers ask whoever watches the thread that starts them, from entering to leaving.

    A module that starts them is guarded once something has imported it; this imports none.
    """

    def __init__(self, watching: Callable[[], Ask | None]) -> None:
        """`watching` gives the one to ask about what this thread starts, or `None`."""
        self._watching = watching
        self._originals: dict[tuple[str, str], tuple[Any, Any, Any]] = {}

    def __enter__(self) -> InstallGuard:
        """Begin with what is imported already."""
        self.extend()
        return self

    def __exit__(self, *_: object) -> None:
        """Put everything back that nobody else has changed since."""
        for (_module, name), (holder, original, guarded) in self._originals.items():
            if getattr(holder, name) is guarded:
                setattr(holder, name, original)
        self._originals.clear()

    def extend(self) -> None:
        """Guard what has been imported meanwhile."""
        self._guard("os", None, "system", self._system)
        self._guard("subprocess", "Popen", "__init__", self._popen)
        for module in ("pip", "pip._internal", "pip._internal.cli.main"):
            self._guard(module, None, "main", self._pip)

    def _guard(self, module: str, holder: str | None, name: str, made: Callable[[Any], Any]) -> None:
        present: Any = sys.modules.get(module)
        if present is None or (module, name) in self._originals:
            return
        place = present if holder is None else getattr(present, holder, None)
        original = getattr(place, name, None)
        if original is not None:  # else the module is just being imported
            guarded = made(original)
            self._originals[module, name] = (place, original, guarded)
            setattr(place, name, guarded)

    def _is_stopped(self, command: object) -> bool:
        ask = self._watching()
        words = None if ask is None else install_in(command)
        return ask is not None and words is not None and not ask(words)

    def _system(self, original: Any) -> Any:
        def system(command: Any) -> int:
            return _FAILED if self._is_stopped(command) else original(command)

        return system

    def _popen(self, original: Any) -> Any:
        def init(popen: Any, args: Any, *positional: Any, **keywords: Any) -> None:
            if self._is_stopped(args):
                raise PermissionError(f"{install_in(args)!r} is not run while a tool file is imported")
            original(popen, args, *positional, **keywords)

        return init

    def _pip(self, original: Any) -> Any:
        def main(args: list[str] | None = None) -> int:
            command = ["pip", *(sys.argv[1:] if args is None else args)]
            return 1 if self._is_stopped(command) else original(args)

        return main
