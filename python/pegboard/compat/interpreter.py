"""Owns the answers to "which Python?" and "which variable?" that tool files ask the framework for.

Must not start a process to find out.
"""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path


def resolve_python_executable() -> str:
    """The Python that runs the tools, as a path that can be started.

    Raises:
        ValueError: there is none, as in a program that brings its own interpreter.
    """
    binaries = Path(sys.prefix) / ("Scripts" if os.name == "nt" else "bin")
    names = ("python.exe",) if os.name == "nt" else ("python3", "python")
    for candidate in (sys.executable, *(str(binaries / name) for name in names)):
        if candidate and Path(candidate).name.lower().startswith("python") and os.access(candidate, os.X_OK):
            return candidate
    raise ValueError(
        f"no Python executable was found in {binaries}; give the host an environment that has one, "
        "such as a virtual environment"
    )


def read_env_with_deprecation(canonical: str, legacy: str, default: str | None = None) -> str | None:
    """The value of a variable under its name, else under its old name (with a warning), else the default."""
    value = os.environ.get(canonical)
    if value is not None:
        return value
    value = os.environ.get(legacy)
    if value is None:
        return default
    warnings.warn(f"the variable {legacy} is deprecated; set {canonical}", DeprecationWarning, stacklevel=2)
    return value
