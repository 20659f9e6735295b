"""Loads a recorded case as a host does: import the file, describe what the decorator marked."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from pegboard.compat.finder import is_stand_in
from pegboard.dialects import Options
from pegboard.dialects.dendrux import DIALECT
from pegboard.runtime.bound import BoundTool
from pegboard.runtime.collect import Found
from pegboard.runtime.findings import Finding
from pegboard.runtime.importing import import_files
from pegboard.runtime.source import Source

CASES = Path(__file__).parent / "cases"

REAL = not is_stand_in(importlib.import_module("dendrux"))
"""Whether dendrux itself is installed here, and its own decorator makes the definitions."""


@dataclass
class Loaded:
    """What became of a tool: the bound tool or the error that its decorator raised, and the findings."""

    tool: BoundTool | None
    error: Exception | None
    findings: list[Finding]
    value: Any = None


def import_file(path: Path) -> ModuleType:
    """The file as a module of its own; removed again if it raises."""
    name = f"dendrux_case_{path.parent.name}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def import_as_source(path: Path) -> ModuleType:
    """The file as a host imports it: a rejected tool does not cost the file."""
    source = Source(str(path.parent), [], [str(path)])
    imported = import_files(source, 30)[0]
    assert imported.module is not None, imported.findings
    return imported.module


def describe(value: Any, variable: str, module: ModuleType) -> Loaded:
    """What the dialect makes of one object of a module."""
    assert DIALECT.owns(value), f"{variable} is not recognised as a tool"
    found = Found(value, variable, module, str(module.__file__))
    made = list(DIALECT.describe(found, Options()))
    tools = [one for one in made if isinstance(one, BoundTool)]
    assert len(tools) <= 1
    findings = [one for one in made if isinstance(one, Finding)]
    return Loaded(tools[0] if tools else None, None, findings, value)


def load_case(case: str) -> Loaded:
    """The one tool of a schema case."""
    path = CASES / "schema" / f"{case}.py"
    try:
        module = import_file(path)
    except Exception as error:
        return Loaded(None, error, [])
    variable = _variable(path, module)
    value: Any = module
    for part in variable.split("."):
        value = getattr(value, part)
    return describe(value, variable, module)


def _variable(path: Path, module: ModuleType) -> str:
    """The first line names it where it is not the only tool at the top of the module."""
    named = re.match(r"# tool: (\S+)", path.read_text(encoding="utf-8"))
    if named:
        return named[1]
    owned = [name for name, value in vars(module).items() if DIALECT.owns(value)]
    assert len(owned) == 1, f"{path.name} has the tools {owned}"
    return owned[0]
