"""Owns noticing that a tool changes the working directory, which all tools of the process share.

Must not keep a tool from it, nor put the directory back: what the tool does next may rely on it.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

from .current import CURRENT

__all__ = ["install"]


def install() -> None:
    """Watch `os.chdir` and `os.fchdir`; does nothing where they are watched already."""
    for name in ("chdir", "fchdir"):
        function = getattr(os, name, None)
        if function is not None and not hasattr(function, "_is_watched"):
            setattr(os, name, _watched(function))


def _watched(function: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(function)
    def change(*args: Any, **kwargs: Any) -> None:
        handle = CURRENT.get(None)
        if handle is not None:
            handle.leave_directory(os.getcwd())
        function(*args, **kwargs)

    change._is_watched = True  # type: ignore[attr-defined]
    return change
