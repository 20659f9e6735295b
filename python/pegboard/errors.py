"""Owns the exceptions that pegboard raises: one base, one class per code.

The codes are those of the host's own errors. An exception that a tool raises is never one of these; it passes untouched.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, ClassVar

__all__ = [
    "AbortedError",
    "ClosedError",
    "InternalError",
    "InterpreterError",
    "PegboardError",
    "SettingError",
    "SourceError",
    "ToolNotLoadedError",
    "UnknownToolError",
]


class PegboardError(Exception):
    """The base of every exception that pegboard defines."""

    code: ClassVar[str] = "error"
    """A stable code in snake case, the same in every door."""


class UnknownToolError(PegboardError):
    """No tool of that name is in the catalog."""

    code = "unknown_tool"

    def __init__(self, name: str, near: Sequence[str] = ()) -> None:
        self.name = name
        """The name that was asked for."""
        self.near = tuple(near)
        """Names in the catalog that look alike, best first."""
        super().__init__(name, self.near)

    def __str__(self) -> str:
        text = f"there is no tool named {_quoted(self.name)}"
        if len(self.near) == 1:
            return f"{text}; did you mean {_quoted(self.near[0])}?"
        if self.near:
            return f"{text}; did you mean one of {', '.join(map(_quoted, self.near))}?"
        return text


class ToolNotLoadedError(PegboardError):
    """The tool is written down in a file, but it was not loaded."""

    code = "tool_not_loaded"

    def __init__(self, name: str, diagnostic: Any) -> None:
        self.name = name
        """The name that was asked for."""
        self.diagnostic = diagnostic
        """Why it was left out, and where."""
        super().__init__(name, diagnostic)

    def __str__(self) -> str:
        return f"the tool {_quoted(self.name)} was not loaded: {self.diagnostic}"


class SourceError(PegboardError):
    """A source cannot be read at all."""

    code = "source"

    def __init__(self, path: str, reason: str) -> None:
        self.path = path
        """The source as it was given."""
        self.reason = reason
        """What is wrong with it and what to do."""
        super().__init__(path, reason)

    def __str__(self) -> str:
        return f"cannot read the source {self.path}: {self.reason}"


class SettingError(PegboardError):
    """A setting has a value that cannot be used."""

    code = "setting"

    def __init__(self, setting: str, reason: str) -> None:
        self.setting = setting
        """The setting's name."""
        self.reason = reason
        """What is wrong with it and what to do."""
        super().__init__(setting, reason)

    def __str__(self) -> str:
        return f"the setting {self.setting} is not usable: {self.reason}"


class InterpreterError(PegboardError):
    """Python cannot be started or adopted."""

    code = "interpreter"

    def __init__(self, reason: str) -> None:
        self.reason = reason
        """What is wrong and what to do."""
        super().__init__(reason)

    def __str__(self) -> str:
        return f"cannot start Python: {self.reason}"


class AbortedError(PegboardError):
    """The tool raised what its own policy does not catch, and the exception object itself is not at hand."""

    code = "aborted"

    def __init__(self, tool: str, failure: Any) -> None:
        self.tool = tool
        """The tool's name."""
        self.failure = failure
        """The same detail that a caught exception would carry."""
        super().__init__(tool, failure)

    def __str__(self) -> str:
        return f"the tool {_quoted(self.tool)} aborted the call: {self.failure}"


class ClosedError(PegboardError):
    """The host was closed before the call."""

    code = "closed"

    def __init__(self) -> None:
        super().__init__()

    def __str__(self) -> str:
        return "the host is closed"


class InternalError(PegboardError):
    """A fault of pegboard itself."""

    code = "internal"

    def __init__(self, detail: str) -> None:
        self.detail = detail
        """What went wrong."""
        super().__init__(detail)

    def __str__(self) -> str:
        return f"internal fault: {self.detail}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
