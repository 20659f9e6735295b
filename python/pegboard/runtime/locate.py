"""Owns finding the place in a value that cannot be written as JSON, after writing it has failed.

Must not write anything, and must never show a value's `repr`: it can hold an address or a secret.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel
from pydantic_core import to_json

from .source import without_private_names

__all__ = ["Fault", "UnwritableError", "find_fault", "full_name", "hides_non_finite"]

_DEPTH = 200
_PLAIN = frozenset({str, int, bool, float, type(None), bytes})


@dataclasses.dataclass(frozen=True, slots=True)
class Fault:
    """A place in a value, and what is wrong with it."""

    path: str
    """Such as `$.a[3].b`."""
    reason: str
    """A phrase that follows the path."""
    hint: str | None = None


class UnwritableError(ValueError):
    """A value cannot be written for a reason that its text gives in full."""


def find_fault(value: object) -> Fault | None:
    """The first place that cannot be written, or `None` if none can be told."""
    return _search(value, "$", ())


def full_name(cls: type) -> str:
    """The name of a class as its users know it."""
    if cls.__module__ in ("builtins", "__main__"):
        return cls.__qualname__
    return without_private_names(f"{cls.__module__}.{cls.__qualname__}")


def hides_non_finite(value: object) -> bool:
    """Whether a model in `value` holds NaN or infinity, which pydantic would write as `null` without a word.

    A model whose author has chosen how such numbers are written is left alone.
    """
    pending = [value]
    seen: set[int] = set()
    while pending:
        current = pending.pop()
        kind = type(current)
        if kind in _PLAIN:
            continue
        inner: Iterable[object]
        if kind is dict:
            inner = current.values()  # type: ignore[attr-defined]
        elif kind in (list, tuple, set, frozenset):
            inner = current  # type: ignore[assignment]
        elif id(current) in seen:
            continue
        else:
            seen.add(id(current))
            inner = _inside(current)
            if not all(map(math.isfinite, _floats(inner))) and _leaves_it_to_pydantic(kind):
                return True
        if not _PLAIN.issuperset(map(type, inner)):
            pending.extend(inner)
    return False


def _inside(value: object) -> list[object]:
    """What an object holds that is no plain container."""
    if isinstance(value, BaseModel):
        return [*value.__dict__.values(), *(value.__pydantic_extra__ or {}).values()]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, field.name, None) for field in dataclasses.fields(value)]
    return list(value.values()) if isinstance(value, Mapping) else []


def _leaves_it_to_pydantic(kind: type) -> bool:
    """Whether pydantic writes a class whose author has not chosen how such numbers are written."""
    if not hasattr(kind, "__pydantic_serializer__"):
        return False
    config = getattr(kind, "model_config", None) or getattr(kind, "__pydantic_config__", None) or {}
    return "ser_json_inf_nan" not in config


def _floats(values: Iterable[object]) -> Iterable[float]:
    """The floats among values and in the plain containers right below them."""
    pending = list(values)
    while pending:
        current = pending.pop()
        if isinstance(current, float):
            yield current
        elif type(current) is dict:
            pending += current.values()
        elif type(current) in (list, tuple):
            pending.extend(current)  # type: ignore[arg-type]


def _search(value: object, path: str, above: tuple[int, ...]) -> Fault | None:
    if isinstance(value, str):
        return None if _is_text(value) else Fault(path, "holds half of a surrogate pair, which is not text")
    if isinstance(value, float):
        if math.isfinite(value):
            return None
        return Fault(path, f"is {'NaN' if math.isnan(value) else 'infinite'}, which JSON does not have")
    if value is None or isinstance(value, int | bytes | bytearray):
        return None
    if id(value) in above:
        return Fault(path, "contains itself")
    if len(above) >= _DEPTH:
        return Fault("$", f"is nested deeper than {_DEPTH} levels")
    try:
        inner = _parts(value)
    except Exception:
        inner = None
    if inner is None:
        return _leaf(value, path)
    for step, part in inner:
        fault = _search(part, path + step, (*above, id(value)))
        if fault is not None:
            return fault
    return None


def _parts(value: object) -> list[tuple[str, object]] | None:
    if isinstance(value, Mapping):
        return [(_key(key), part) for key, part in value.items()]
    if isinstance(value, list | tuple | set | frozenset):
        return [(f"[{index}]", part) for index, part in enumerate(value)]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [(_key(field.name), getattr(value, field.name)) for field in dataclasses.fields(value)]
    if hasattr(type(value), "__pydantic_serializer__") and hasattr(value, "__dict__"):
        extra: Any = getattr(value, "__pydantic_extra__", None) or {}
        return [(_key(name), part) for name, part in {**vars(value), **extra}.items()]
    return None


def _key(key: object) -> str:
    if isinstance(key, str):
        return f".{key}" if key.isidentifier() else f"[{key.encode('utf-8', 'backslashreplace').decode()!r}]"
    return f"[{key!r}]" if isinstance(key, int | float | bool | type(None)) else f"[{type(key).__name__}]"


def _leaf(value: object, path: str) -> Fault | None:
    try:
        to_json(value, bytes_mode="base64")
    except Exception:
        kind = type(value)
        hint = None
        if kind.__module__ == "pegboard.authoring.content":
            hint = "return it alone, or in a list with strings and other content"
        if kind.__module__.partition(".")[0] == "numpy":
            hint = "return .item() of a NumPy scalar and .tolist() of an array"
        return Fault(path, f"is of type {full_name(kind)}", hint)
    return None


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
