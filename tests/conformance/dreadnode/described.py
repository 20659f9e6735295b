"""Owns the way from a case file to described tools."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from pegboard.dialects import Options, dialects
from pegboard.runtime.bound import BoundTool
from pegboard.runtime.collect import Found
from pegboard.runtime.findings import Finding


def is_owned(value: Any) -> bool:
    return any(dialect.owns(value) for dialect in dialects())


def describe(value: Any, variable: str, module: ModuleType, catch_default: str) -> list[BoundTool | Finding]:
    """What the owner of an object makes of it; nothing where no dialect owns it."""
    for dialect in dialects():
        if dialect.owns(value):
            toolset = None if callable(value) else type(value).__name__
            found = Found(value, variable, module, str(module.__file__), toolset=toolset)
            return list(dialect.describe(found, Options(catch_default=catch_default)))  # type: ignore[arg-type]
    return []


def tool_objects(module: ModuleType) -> list[tuple[str, Any]]:
    """The tools and toolsets at the top of a module; a class is built, as loading does."""
    found: list[tuple[str, Any]] = []
    for name, value in vars(module).items():
        if getattr(value, "__module__", None) != module.__name__ and isinstance(value, type):
            continue
        if is_owned(value):
            found.append((name, value() if isinstance(value, type) else value))
    return found
