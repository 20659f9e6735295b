"""Owns noticing that a tool changes the working directory, which all tools of the process share.

Must not keep a tool from it, nor put the directory back: what the tool does next may rely on it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from .current import CURRENT
from .replacing import replace

__all__ = ["install"]


def install() -> None:
    """Watch `os.chdir` and `os.fchdir`; does nothing where they are watched already."""
    for name in ("chdir", "fchdir"):
        replace(os, name, _watched)


def _watched(function: Callable[..., None]) -> Callable[..., None]:
    def change(*args: Any, **kwargs: Any) -> None:
        handle = CURRENT.get(None)
        if handle is not None:
            handle.leave_directory(os.getcwd())
        function(*args, **kwargs)

    return change
