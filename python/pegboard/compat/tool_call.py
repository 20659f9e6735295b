"""Owns the messages about tools that pass between a model and a framework, as the stand-ins name them.

Apart from `tool`, which every tool file loads: few files name these, and pydantic takes its time to
make them.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel


class FunctionDefinition(BaseModel):
    """A tool as a provider is shown it."""

    name: str
    description: str | None = None
    parameters: dict[str, Any] | None = None


class ToolDefinition(BaseModel):
    """A tool as a provider is shown it, with its kind."""

    type: Literal["function"] = "function"
    function: FunctionDefinition


class FunctionCall(BaseModel):
    """The function that a model calls and its arguments as JSON text."""

    name: str
    arguments: str


class ToolCall(BaseModel):
    """One call by a model."""

    id: str
    type: Literal["function"] = "function"
    function: FunctionCall

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.function.name

    @property
    def arguments(self) -> str:
        """The arguments as JSON text."""
        return self.function.arguments


class ToolResponse(BaseModel):
    """What a call yielded."""

    id: str = ""
    result: str
