"""Owns the shape of what is said about loading: a `Finding` becomes the host's diagnostic.

Must not decide what is worth a finding; whoever finds it says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from os import fspath
from pathlib import PurePath
from typing import Any, Literal

__all__ = ["Finding", "FindingCode", "Severity", "error", "info", "warning"]

Severity = Literal["info", "warning", "error"]

FindingCode = Literal[
    "syntax_error",
    "import_failed",
    "missing_dependency",
    "exited_at_import",
    "import_timed_out",
    "file_unreadable",
    "no_tools",
    "toolset_not_built",
    "toolset_field_required",
    "signature_rejected",
    "parameter_unresolved",
    "return_unresolved",
    "option_invalid",
    "name_invalid",
    "decorator_misplaced",
    "imported_tool_skipped",
    "process_changed",
    "install_at_import",
    "close_failed",
]
"""The kinds of finding that this side makes; the host knows more."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing about a file, a class or a tool that its author should know."""

    code: FindingCode
    severity: Severity
    message: str
    """One sentence that names the thing."""
    path: str | None = None
    line: int | None = None
    hint: str | None = None
    """What to do about it."""
    tools: tuple[str, ...] = field(default=())
    """The names of the tools that are missing because of it."""

    def as_dict(self) -> dict[str, Any]:
        """The finding in the host's shape."""
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "path": self.path,
            "line": self.line,
            "hint": self.hint,
            "tools": list(self.tools),
        }


def error(
    code: FindingCode,
    message: str,
    *,
    path: str | PurePath | None = None,
    line: int | None = None,
    hint: str | None = None,
    tools: Iterable[str] = (),
) -> Finding:
    """A finding that costs a file, a class or a tool."""
    return Finding(code, "error", message, None if path is None else fspath(path), line, hint, tuple(tools))


def warning(
    code: FindingCode,
    message: str,
    *,
    path: str | PurePath | None = None,
    line: int | None = None,
    hint: str | None = None,
) -> Finding:
    """A finding about something that works less well than its author meant."""
    return Finding(code, "warning", message, None if path is None else fspath(path), line, hint)


def info(
    code: FindingCode,
    message: str,
    *,
    path: str | PurePath | None = None,
    line: int | None = None,
    hint: str | None = None,
) -> Finding:
    """A finding that is worth knowing although nothing was lost."""
    return Finding(code, "info", message, None if path is None else fspath(path), line, hint)
