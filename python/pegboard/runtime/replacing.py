"""Owns putting another function in the place of one of Python's, for as long as the process lives.

Must not decide what the other one does.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

__all__ = ["replace"]


def replace(owner: Any, name: str, make: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Put `make(function)` in the place of `owner.name`, unless it is there already or nothing is."""
    function = getattr(owner, name, None)
    if function is None or hasattr(function, "_is_pegboards"):
        return
    replaced: Any = functools.wraps(function)(make(function))
    replaced._is_pegboards = True
    setattr(owner, name, replaced)
