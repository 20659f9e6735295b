"""Owns the exceptions that pegboard raises: one base, one class per code.

The codes are those of the host's own errors, and so are the messages. An exception that a tool raises is
never one of these; it passes untouched.
"""

from __future__ import annotations

import copyreg
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "AbortedError",
    "ClosedError",
    "InternalError",
    "InterpreterError",
    "PegboardError",
    "SettingError",
    "SourceError",
    "ToolNotLoadedError",
    "UnknownCallError",
    "UnknownToolError",
    "UnreadableAnswerError",
]


class PegboardError(Exception):
    """The base of every exception that pegboard defines; its text says what is wrong and what to do."""

    code: ClassVar[str] = "error"
    """A stable code in snake case, the same in every door."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by class, text and attributes: the constructors take more than the text."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class UnknownToolError(PegboardError):
    """No tool of that name is in the catalog."""

    code = "unknown_tool"

    def __init__(self, message: str, *, name: str, near: Sequence[str] = ()) -> None:
        """Keep the name that was asked for, and those that look alike."""
        super().__init__(message)
        self.name = name
        """The name that was asked for."""
        self.near = tuple(near)
        """Names in the catalog that look alike, best first."""


class ToolNotLoadedError(PegboardError):
    """The tool is written down in a file, but it was not loaded."""

    code = "tool_not_loaded"

    def __init__(self, message: str, *, name: str, diagnostic: Any) -> None:
        """Keep the name that was asked for, and the diagnostic."""
        super().__init__(message)
        self.name = name
        """The name that was asked for."""
        self.diagnostic = diagnostic
        """Why it was left out, and where."""


class SourceError(PegboardError):
    """A source cannot be read at all."""

    code = "source"

    def __init__(self, message: str, *, path: Path) -> None:
        """Keep the source."""
        super().__init__(message)
        self.path = path
        """The source as it was given."""


class SettingError(PegboardError):
    """A setting has a value that cannot be used."""

    code = "setting"

    def __init__(self, message: str, *, setting: str) -> None:
        """Keep the setting's name."""
        super().__init__(message)
        self.setting = setting
        """The setting's name."""


class InterpreterError(PegboardError):
    """Python cannot be started or adopted."""

    code = "interpreter"


class AbortedError(PegboardError):
    """The tool raised what its own policy does not catch, and the exception object itself is not at hand."""

    code = "aborted"

    def __init__(self, message: str, *, tool: str, failure: Any) -> None:
        """Keep the tool's name and the failure."""
        super().__init__(message)
        self.tool = tool
        """The tool's name."""
        self.failure = failure
        """The same detail that a caught exception would carry."""


class UnknownCallError(PegboardError):
    """No call of that id waits for a result from the application."""

    code = "unknown_call"

    def __init__(self, message: str, *, call_id: str) -> None:
        """Keep the id."""
        super().__init__(message)
        self.call_id = call_id
        """The id that was given."""


class UnreadableAnswerError(PegboardError, ValueError):
    """Something is not what a provider's models answer."""

    code = "unreadable_answer"

    def __init__(self, message: str, *, provider: str) -> None:
        """Keep the provider."""
        super().__init__(message)
        self.provider = provider
        """The name of the provider whose answer it should have been."""


class ClosedError(PegboardError):
    """The host was closed before the call."""

    code = "closed"


class InternalError(PegboardError):
    """A fault of pegboard itself."""

    code = "internal"
