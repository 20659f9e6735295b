"""Owns the list of module paths that a stand-in answers and, for each, where its names come from.

To add a framework, write a module that holds its `STAND_INS` and name it in `TABLES`.
Must not import what the names stand for: a name is looked up when a tool file asks for it.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

TABLES: dict[str, str] = {
    "dreadnode": "dreadnode_names",
    "rigging": "rigging_names",
    "dendrux": "dendrux_names",
}
"""For each framework, by the top of its paths, the module of this package that holds its `STAND_INS`."""


COMPLETIONS: dict[str, dict[str, str]] = {
    "dreadnode": {name: f"real_dreadnode:{name}" for name in ("Tool", "Toolset", "tool", "tool_method")}
}
"""The names that a framework's documents promise at its top and its package may lack, and where they stand.
"""


@dataclass(frozen=True, slots=True)
class StandIn:
    """What one module path answers."""

    distribution: str
    """What to install to have everything that the stand-in lacks."""
    names: Mapping[str, str]
    """Each public name and where it stands, as `module:attribute` below `pegboard.compat`."""
    homes: tuple[str, ...] = ()
    """Paths of the real package at which these names have lived.

    They are asked first where the real package is installed without this path, so that a file which
    imports one name from an old path and another from a new one gets objects that belong together.
    """


def names_from(module: str, names: str) -> dict[str, str]:
    """The entries for names (with blanks between them) that stand in one module below `pegboard.compat`."""
    return {name: f"{module}:{name}" for name in names.split()}


@functools.cache
def stand_ins(framework: str) -> Mapping[str, StandIn]:
    """Every module path of a framework that a stand-in answers."""
    found: dict[str, StandIn] = importlib.import_module(f"{__package__}.{TABLES[framework]}").STAND_INS
    return found


def look_up(reference: str) -> Any:
    """The object that `module:attribute` stands for."""
    module, _, attribute = reference.partition(":")
    return getattr(importlib.import_module(f"{__package__}.{module}"), attribute)
