"""Owns finding the line at which something is defined, from the text of its file."""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable
from typing import Any

from .signature import underlying

__all__ = ["class_line", "function_line"]

_DEF = re.compile(r"\s*(?:async\s+)?def\s")
_DECORATORS = 50


def function_line(function: Callable[..., Any]) -> int | None:
    """The line of a function's `def`; Python itself knows that of its first decorator."""
    code = getattr(underlying(function), "__code__", None)
    if code is None:
        return None
    first: int = code.co_firstlineno
    lines = linecache.getlines(code.co_filename)
    for number, line in enumerate(lines[first - 1 : first - 1 + _DECORATORS], first):
        if _DEF.match(line):
            return number
    return first


def class_line(file: str, name: str) -> int | None:
    """The line of `class name` in a file."""
    start = re.compile(rf"\s*class\s+{re.escape(name)}\b")
    return next(
        (number for number, line in enumerate(linecache.getlines(file), 1) if start.match(line)), None
    )
