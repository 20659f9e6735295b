"""Owns the exceptions and error values that tool files name: `Stop`, `ErrorModel`, `ToolDefinitionError`.

Must not decide what becomes of them.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

from pydantic import BaseModel, field_validator

from pegboard import authoring


class Stop(authoring.Stop):
    """Raised or returned by a tool to end the run, with a text for the model."""

    def __init__(self, message: str = "") -> None:
        """Keeps the text."""
        super().__init__(message)
        self.message = message


class ToolDefinitionError(Exception):
    """A tool cannot be described."""


class ErrorModel(BaseModel):
    """A failure as a value; a tool may return one instead of raising."""

    tag: ClassVar[str] = "error"

    type: str = "Exception"
    content: str

    @field_validator("content", mode="before")
    @classmethod
    def _read_exception(cls, value: Any) -> Any:
        return str(value) if isinstance(value, BaseException) else value

    @classmethod
    def from_exception(cls, exception: BaseException) -> Self:
        """The failure that an exception stands for."""
        return cls(content=str(exception), type=type(exception).__name__)

    def to_pretty_xml(self) -> str:
        """The text that a model is shown."""
        return f'<{self.tag} type="{self.type}">{self.content.strip()}</{self.tag}>'

    def __str__(self) -> str:
        """The text that a model is shown."""
        return self.to_pretty_xml()


class SystemErrorModel(ErrorModel):
    """A failure of the system around a tool."""

    tag = "system-error"


class ValidationErrorModel(ErrorModel):
    """Arguments that do not fit."""

    tag = "validation-error"
