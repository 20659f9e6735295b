"""Owns the environment variables that the files of one source find.

Variables belong to the whole process. Those of flags carry their capability's name, so they are set and stay.
`CAPABILITY_ROOT` has one name for every capability: who reads it decides which value it has, whenever that
is, and only programs that a file starts while it is loaded get it from the process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType

from .source import Source, source_of

__all__ = ["ROOT_HINT", "ROOT_VARIABLE", "set_for_load"]

ROOT_VARIABLE = "CAPABILITY_ROOT"

ROOT_HINT = (
    "only files of a capability have CAPABILITY_ROOT: start from __file__,"
    " or load the folder that has the capability.yaml"
)
"""What helps who misses the variable."""


@contextmanager
def set_for_load(source: Source, variables: Iterable[tuple[str, str]]) -> Iterator[None]:
    """Set the variables of a source; at the end only the source still has the capability's root."""
    given = dict(variables)
    source.capability_root = given.get(ROOT_VARIABLE)
    before = os.environ.get(ROOT_VARIABLE)
    os.environ.update(given)
    if type(os.environ) is os._Environ:  # else somebody has put another mapping there
        os.environ.__class__ = _Environment
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(ROOT_VARIABLE, None)
        else:
            os.environ[ROOT_VARIABLE] = before


class _Environment(os._Environ[str]):
    """The class of `os.environ` once a source was loaded."""

    def __getitem__(self, key: str) -> str:
        if key == ROOT_VARIABLE and (root := _root_for_caller()) is not None:
            return root
        return super().__getitem__(key)


def _root_for_caller() -> str | None:
    """The root of the capability whose code is nearest among the callers."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        source = source_of(frame.f_globals.get("__name__", ""))
        if source is not None:
            return source.capability_root
        frame = frame.f_back
    return None
