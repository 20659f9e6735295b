"""Owns the answer where an object in a module came from: defined there, or taken over by `from … import`.

Asks the source what its import statements took, so that an object made by a call in the file is the file's
own whatever its class says.
"""

from __future__ import annotations

import sys

from .source import Source

__all__ = ["of"]


def of(value: object, module_name: str, source: Source) -> str:
    """The name of the module that made `value`, followed through the modules of the source."""
    seen = {module_name}
    current = module_name
    while True:
        step = _taken_from(value, current, source)
        if step is None or step in seen:
            return current
        seen.add(step)
        current = step
        if not source.has_module(step):
            return step


def _taken_from(value: object, importing: str, source: Source) -> str | None:
    for importer, taken, names in source.imported:
        if importer != importing:
            continue
        module = sys.modules.get(taken)
        if module is None:
            continue
        present = vars(module)
        if any(present.get(name) is value for name in names if name != "*"):
            return taken
        if "*" in names and any(other is value for other in present.values()):
            return taken
        if any(_lazily(module, name) is value for name in names if name != "*" and name not in present):
            return taken
    return None


def _lazily(module: object, name: str) -> object:
    try:
        return getattr(module, name, None)
    except Exception:
        return None
