"""Owns the loading of case files, each under the framework that it is to be tried with.

A case is written for dreadnode; for another framework only its import line is changed.
"""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent


def source(kind: str, name: str, framework: str = "dreadnode") -> tuple[Path, str]:
    path = HERE / "cases" / kind / f"{name}.py"
    return path, path.read_text("utf-8").replace("from dreadnode import", f"from {framework} import")


@cache
def module(kind: str, name: str, framework: str = "dreadnode") -> ModuleType:
    """The module of a case file. Raises whatever the file raises."""
    path, text = source(kind, name, framework)
    made_name = f"case_{framework}_{name}"
    spec = importlib.util.spec_from_loader(made_name, loader=None, origin=str(path))
    assert spec is not None
    made = importlib.util.module_from_spec(spec)
    made.__file__ = str(path)
    sys.modules[made_name] = made
    try:
        exec(compile(text, str(path), "exec", dont_inherit=True), made.__dict__)
    except BaseException:
        del sys.modules[made_name]
        raise
    return made
