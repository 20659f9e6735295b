"""Hosts Python tools for agents: loads tool files unchanged, describes them and runs them contained.

What a tool file imports is pure Python and always here. What hosts tools is compiled, is only in the wheel,
and is imported on first use.
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
    UnknownCallError,
    UnknownToolError,
    UnreadableAnswerError,
)

if TYPE_CHECKING:
    from ._native import VERSION
    from ._native import Call as Call
    from ._native import CapabilityHealth as CapabilityHealth
    from ._native import Diagnostic as Diagnostic
    from ._native import Export as Export
    from ._native import ExportNote as ExportNote
    from ._native import Failure as Failure
    from ._native import Host as Host
    from ._native import LogLine as LogLine
    from ._native import Offload as Offload
    from ._native import Outcome as Outcome
    from ._native import PendingCall as PendingCall
    from ._native import Problem as Problem
    from ._native import Repair as Repair
    from ._native import Run as Run
    from ._native import ToolDefinition as ToolDefinition
    from ._native import ToolSource as ToolSource
    from ._native import Truncation as Truncation

    __version__: str = VERSION

_NATIVE = {
    name: name
    for name in (
        "Call",
        "CapabilityHealth",
        "Diagnostic",
        "Export",
        "ExportNote",
        "Failure",
        "Host",
        "LogLine",
        "Offload",
        "Outcome",
        "PendingCall",
        "Problem",
        "Repair",
        "Run",
        "ToolDefinition",
        "ToolSource",
        "Truncation",
    )
} | {"__version__": "VERSION"}

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
    "UnknownCallError",
    "UnknownToolError",
    "UnreadableAnswerError",
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
    value = getattr(native, _NATIVE[name])
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_NATIVE})
