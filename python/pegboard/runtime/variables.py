"""Owns the environment variables that the files of one source find while they are loaded.

Variables belong to the whole process, so `CAPABILITY_ROOT`, which has one name for every capability, is
taken back after the load: a call that read it could get another capability's. The variables of flags carry
their capability's name and stay.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

__all__ = ["ROOT_HINT", "ROOT_VARIABLE", "set_for_load"]

ROOT_VARIABLE = "CAPABILITY_ROOT"

ROOT_HINT = (
    "CAPABILITY_ROOT is set only while the capability is loaded:"
    " read it at the top of the file, or start from __file__"
)
"""What helps who misses the variable in a call."""


@contextmanager
def set_for_load(variables: Iterable[tuple[str, str]]) -> Iterator[None]:
    """Set the variables; what names the capability's root is put back at the end."""
    before = os.environ.get(ROOT_VARIABLE)
    os.environ.update((name, value) for name, value in variables)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(ROOT_VARIABLE, None)
        else:
            os.environ[ROOT_VARIABLE] = before
