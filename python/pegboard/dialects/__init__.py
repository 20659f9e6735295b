"""Owns the contract of a dialect and the list of dialects.

A dialect is what a tool file was written for. It knows its framework's objects by their class and turns
each into bound tools. Nothing here may import a framework.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from pegboard.runtime.bound import BoundTool
    from pegboard.runtime.collect import Found
    from pegboard.runtime.findings import Finding

__all__ = ["Dialect", "Options", "dialects"]

# The dialects, and the packages without which no object of theirs can exist. The own one is last because
# others build on its classes.
_FRAMEWORKS = {
    "dreadnode": ("dreadnode", "rigging"),
    "rigging": ("dreadnode", "rigging"),
    "dendrux": ("dendrux",),
    "pegboard": ("pegboard",),
}


@dataclass(frozen=True, slots=True)
class Options:
    """How files are to be read, where the owner of the host has a choice."""

    compat: Literal["auto", "builtin"] = "auto"
    """Which package answers the import of a framework: the real one if installed, or always the stand-in."""
    catch_default: Literal["documented", "all"] = "documented"
    """Which exceptions a dreadnode or rigging tool catches that does not say."""


class Dialect(Protocol):
    """Recognises and describes the objects of one framework."""

    @property
    def name(self) -> str:
        """The name that stands in a tool definition's source."""
        ...

    def owns(self, value: object) -> bool:
        """Whether `value` is a tool, a toolset instance or a toolset class of this framework.

        Decided by class, never by the names of attributes. A class is owned if an instance of it would
        offer tools; the framework's own base classes are not.
        """
        ...

    def describe(self, found: Found, options: Options) -> Iterator[BoundTool | Finding]:
        """Turn a tool or toolset instance into bound tools, and what is wrong with it into findings.

        Classes never get here: the collection builds them and passes the instance.
        """
        ...


def dialects() -> tuple[Dialect, ...]:
    """The dialects of which something has been imported, real or stand-in; the others cost nothing.

    Each module holds its dialect as `DIALECT`.
    """
    return tuple(
        import_module(f"{__name__}.{name}").DIALECT
        for name, packages in _FRAMEWORKS.items()
        if any(package in sys.modules for package in packages)
    )
