"""Owns what a described tool is to a runner: the data a host is shown and the objects that run it.

Must not know how a tool was written; that is a dialect's business.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

__all__ = ["ArgumentsValidator", "BoundTool", "Rendered"]


@runtime_checkable
class ArgumentsValidator(Protocol):
    """Reads JSON text into the arguments of a call; in most cases a `pydantic_core.SchemaValidator`."""

    def validate_json(self, data: bytes, /) -> Any:
        """Return `(args, kwargs)`, or raise `pydantic_core.ValidationError` with everything that is wrong."""
        ...


@dataclass(frozen=True, slots=True)
class Rendered:
    """A value that needs more than one form."""

    text: str
    """The text for the model."""
    structured: bytes | None = None
    """The value as UTF-8 JSON, if it has one."""
    content: tuple[dict[str, Any], ...] = ()
    """Blocks beside the text, in the shape of the host's content type."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class BoundTool:
    """One tool, ready to be called. A runner reads the attributes once, when it loads the tool."""

    definition: dict[str, Any]
    """What a model is shown, in the shape of the host's tool definition."""
    policy: dict[str, Any]
    """How calls are judged and shown, in the shape of the host's call policy."""
    function: Callable[..., Any]
    """Called as `function(*args, **kwargs)`; may return an awaitable or a generator."""
    validator: ArgumentsValidator | None
    """`None`: the host checks the arguments against the parameters schema and passes them by keyword."""
    render: Callable[[object], bytes | str | Rendered]
    """Writes a value: bytes are JSON, text and value in one; a string is text that is also the value."""
    plain_text: bool = True
    """Whether an exact `str` needs no rendering."""
    asynchronous: bool = False
    """Whether `function` has to be called on the event loop's thread."""
    context_parameter: str | None = None
    """The keyword under which the function wants the call's context."""
    catch: bool | tuple[type[BaseException], ...] = True
    """Which exceptions become failures: all, none, or those listed."""
    stop: tuple[type[BaseException], ...] = ()
    """Exceptions by which the tool asks to end the run."""
    stop_tag: str | None = None
    """The element that stands around the text of such an exception, where the framework writes one."""
    serial: int | None = None
    """Tools of one number share an instance, so their sync calls run one at a time."""
    enter: Callable[[], Awaitable[None]] | None = None
    """Enters the toolset's context manager before its first call."""

    @property
    def name(self) -> str:
        """The tool's real name."""
        name: str = self.definition["name"]
        return name
