"""Owns the definition that the `tool` decorator leaves on a function as `__tool_def__`.

Must not make definitions; `definition` does. The attributes are those of dendrux 0.4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

ATTRIBUTE = "__tool_def__"
"""Where a decorated function keeps its definition."""

DEFAULT_TOOL_TIMEOUT = 120.0
"""How many seconds a call may take whose tool does not say."""


class ToolTarget(StrEnum):
    """Who executes a tool."""

    SERVER = "server"
    CLIENT = "client"
    HUMAN = "human"
    AGENT = "agent"


@dataclass(frozen=True)
class ToolDef:
    """A tool as its decorator described it."""

    name: str
    description: str
    parameters: dict[str, Any]
    """The JSON Schema of the arguments."""
    target: ToolTarget = ToolTarget.SERVER
    parallel: bool = True
    """Whether calls of one run may overlap with others."""
    max_calls_per_run: int | None = None
    timeout_seconds: float = DEFAULT_TOOL_TIMEOUT
    has_explicit_timeout: bool = False
    meta: dict[str, Any] = field(default_factory=dict)
    strict: bool = False
    notes: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """What strict mode took from the schema, a sentence for each rule. Not in dendrux."""


@dataclass(frozen=True)
class ToolOptions:
    """What the decorator was given."""

    target: object = ToolTarget.SERVER
    parallel: bool = True
    max_calls_per_run: object = None
    timeout_seconds: object = DEFAULT_TOOL_TIMEOUT
    has_explicit_timeout: bool = False
    parameters: object = None
    strict: bool = False


class Rejection(Exception):  # noqa: N818 -- it carries the error that the decorator raises
    """Why a function cannot become a tool."""

    def __init__(self, code: RejectionCode, error: TypeError | ValueError | NameError) -> None:
        """`code` is the kind of finding, `error` what the decorator raises."""
        super().__init__(str(error))
        self.code = code
        self.error = error


RejectionCode = Literal["name_invalid", "option_invalid", "parameter_unresolved", "signature_rejected"]


@dataclass(frozen=True)
class RejectedTool:
    """Stands for a definition while a file is being loaded: one rejected tool must not cost the file."""

    name: str
    options: ToolOptions
