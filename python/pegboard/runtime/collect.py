"""Owns the search of imported modules for tools.

Must not describe anything: what an object is, and what it offers, is a dialect's business.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

__all__ = ["Found"]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """One object that a dialect owns, and where it was found."""

    value: object
    """A tool or a toolset instance."""
    variable: str
    """The module's name for it; for an instance that was built here, the name of its class."""
    module: ModuleType
    """The module that defines it."""
    file: str
    """The tool file that it was found in."""
    line: int | None = None
    """The line of its definition, from 1, where it can be told."""
    toolset: str | None = None
    """The name of the class, for a toolset instance."""
