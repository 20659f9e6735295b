"""Owns the list of module paths that a stand-in answers and, for each, where its names come from.

To add a framework, write a module ``<framework>_names`` that holds ``STAND_INS`` and name it in ``TABLES``.
Must not import what the names stand for: a name is looked up when a tool file asks for it.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

TABLES: tuple[str, ...] = ("dreadnode_names", "rigging_names", "dendrux_names")
"""The modules of this package that hold ``STAND_INS``; one for each framework."""


@dataclass(frozen=True, slots=True)
class StandIn:
    """What one module path answers."""

    distribution: str
    """What to install to have everything that the stand-in lacks."""
    names: Mapping[str, str]
    """Each public name and where it stands, as ``module:attribute`` below ``pegboard.compat``."""
    homes: tuple[str, ...] = ()
    """Paths of the real package at which these names have lived.

    They are asked first where the real package is installed without this path, so that a file which imports one
    name from an old path and another from a new one gets objects that belong together.
    """


@functools.cache
def stand_ins() -> Mapping[str, StandIn]:
    """Every module path that a stand-in answers."""
    collected: dict[str, StandIn] = {}
    for table in TABLES:
        collected.update(importlib.import_module(f"{__package__}.{table}").STAND_INS)
    return collected


@functools.cache
def frameworks() -> frozenset[str]:
    """The top-level names among the paths."""
    return frozenset(path.partition(".")[0] for path in stand_ins())


def look_up(reference: str) -> Any:
    """The object that ``module:attribute`` stands for."""
    module, _, attribute = reference.partition(":")
    return getattr(importlib.import_module(f"{__package__}.{module}"), attribute)
