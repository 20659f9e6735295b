"""Hosts Python tools for agents: loads tool files unchanged, describes them to a model, and runs them contained.

What a tool file imports is pure Python and always here. What hosts tools is compiled, is only in the wheel, and is
imported on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .authoring import Audio, Context, Image, Resource, Stop, Tool, Toolset, tool, tool_method
from .errors import (
    AbortedError,
    ClosedError,
    InternalError,
    InterpreterError,
    PegboardError,
    SettingError,
    SourceError,
    ToolNotLoadedError,
    UnknownToolError,
)

if TYPE_CHECKING:
    from ._native import (
        Diagnostic as Diagnostic,
        Export as Export,
        Failure as Failure,
        Host as Host,
        Outcome as Outcome,
        Run as Run,
        ToolDefinition as ToolDefinition,
        __version__ as __version__,
    )

_NATIVE = frozenset(
    {"Diagnostic", "Export", "Failure", "Host", "Outcome", "Run", "ToolDefinition", "__version__"},
)

# What is compiled is left out: `from pegboard import *` in a tool file has to work in every host.
__all__ = [
    "AbortedError",
    "Audio",
    "ClosedError",
    "Context",
    "Image",
    "InternalError",
    "InterpreterError",
    "PegboardError",
    "Resource",
    "SettingError",
    "SourceError",
    "Stop",
    "Tool",
    "ToolNotLoadedError",
    "Toolset",
    "UnknownToolError",
    "tool",
    "tool_method",
]


def __getattr__(name: str) -> Any:
    """Fetch what is compiled."""
    if name not in _NATIVE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        native = importlib.import_module("._native", __name__)
    except ModuleNotFoundError as missing:
        if missing.name != f"{__name__}._native":
            raise
        raise ImportError(
            f"pegboard.{name} is only in the wheel: this Python runs inside a host that is written in Rust,"
            " or pegboard was not installed as a wheel (pip install pegboard)",
            name=f"{__name__}._native",
        ) from None
    value = getattr(native, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_NATIVE})
