"""Owns the options that a tool can be declared with, and the check of their values.

A wrong option must not raise where it is written: that would cost the whole file. It is kept as a problem,
and the collection reports it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["ToolOptions", "Unset", "read_options"]


class Unset:
    """The type of `UNSET`, which tells "not given" from `None`."""

    def __repr__(self) -> str:
        """Show its name."""
        return "UNSET"


UNSET = Unset()


@dataclass(frozen=True, slots=True)
class ToolOptions:
    """How a tool was declared."""

    name: str | None = None
    description: str | None = None
    catch: bool | tuple[type[BaseException], ...] = True
    truncate: int | None = None
    offload: bool = True
    timeout_seconds: float | Unset | None = UNSET
    """Seconds; `None` is without limit, unset leaves it to the host."""
    parallel: bool = True
    max_calls_per_run: int | None = None
    parameters: dict[str, Any] | None = None
    """The author's own JSON Schema of the arguments, in place of one made from the signature."""
    strict: bool = False
    target: Literal["server", "client"] = "server"
    annotations: dict[str, Any] | None = None
    """What MCP clients are told of the tool's effects."""
    variants: tuple[str, ...] | None = None
    """For a method: the variants of the toolset that have it; `None` is all."""


def read_options(given: dict[str, Any], *, method: bool = False) -> tuple[ToolOptions, tuple[str, ...]]:
    """Check what was given; returns the usable options and a sentence about each of the others."""
    usable: dict[str, Any] = {}
    problems: list[str] = []
    for option, value in given.items():
        read = _READERS.get(option)
        if read is None or (option == "variants" and not method):
            accepted = ", ".join(name for name in _READERS if method or name != "variants")
            problems.append(f"there is no option {option!r}; accepted are {accepted}")
            continue
        try:
            usable[option] = read(value)
        except (TypeError, ValueError) as failure:
            problems.append(f"the option {option} {failure}")
    return ToolOptions(**usable), tuple(problems)


def _text(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"takes a string, not {_kind(value)}")
    return value


def _name(value: Any) -> str | None:
    if value is not None and not _text(value):
        raise ValueError("must not be empty")
    return _text(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"takes True or False, not {_kind(value)}")
    return value


def _count(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"takes a whole number or None, not {_kind(value)}")
    if value < 1:
        raise ValueError(f"must be at least 1, not {value}")
    return value


def _seconds(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"takes a number of seconds or None, not {_kind(value)}")
    if not (value > 0 and math.isfinite(value)):
        raise ValueError(f"must be a positive number of seconds, not {value}")
    return float(value)


def _catch(value: Any) -> bool | tuple[type[BaseException], ...]:
    if isinstance(value, bool):
        return value
    if isinstance(value, type):
        value = (value,)
    if not isinstance(value, Iterable) or isinstance(value, str | bytes):
        raise TypeError(f"takes True, False or exception classes, not {_kind(value)}")
    classes = tuple(value)
    for item in classes:
        if not (isinstance(item, type) and issubclass(item, BaseException)):
            raise TypeError(f"takes exception classes, and {item!r} is none")
    return classes


def _schema(value: Any) -> dict[str, Any] | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise TypeError(f"takes a JSON Schema as a dict, not {_kind(value)}")
    if value.get("type") != "object":
        raise ValueError('must have "type": "object" at its root')
    return value


def _annotations(value: Any) -> dict[str, Any] | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise TypeError(f"takes a dict, not {_kind(value)}")
    for name, told in value.items():
        if name not in _ANNOTATIONS:
            raise ValueError(f"has no {name!r}; accepted are {', '.join(_ANNOTATIONS)}")
        if not isinstance(told, _ANNOTATIONS[name]):
            raise TypeError(f"takes {_ANNOTATIONS[name].__name__} for {name}, not {_kind(told)}")
    return value


def _target(value: Any) -> str:
    if value not in ("server", "client"):
        raise ValueError(f"takes 'server' or 'client', not {value!r}")
    return str(value)


def _variants(value: Any) -> tuple[str, ...] | None:
    if value is None:
        return None
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"takes names of variants, not {_kind(value)}")
    names = tuple(value)
    if not all(isinstance(name, str) for name in names):
        raise TypeError("takes names of variants as strings")
    return names


def _kind(value: Any) -> str:
    return f"{type(value).__name__} {value!r}"


_ANNOTATIONS: dict[str, type] = {
    "title": str,
    "readOnlyHint": bool,
    "destructiveHint": bool,
    "idempotentHint": bool,
    "openWorldHint": bool,
}
"""What the Model Context Protocol knows of a tool's effects (specification 2025-11-25, `ToolAnnotations`)."""

_READERS: dict[str, Callable[[Any], Any]] = {
    "name": _name,
    "description": _text,
    "catch": _catch,
    "truncate": _count,
    "offload": _flag,
    "timeout_seconds": _seconds,
    "parallel": _flag,
    "max_calls_per_run": _count,
    "parameters": _schema,
    "strict": _flag,
    "target": _target,
    "annotations": _annotations,
    "variants": _variants,
}
