"""Owns how what Python holds becomes the JSON that a schema shows: defaults, and schemas of an author's own.

Must not change what the function gets when the argument is left out: that is always Python's own default.
"""

from __future__ import annotations

import dataclasses
import enum
import json
from typing import Any, Final

from pydantic import BaseModel

ABSENT: Final = object()
"""Stands for a default that has no JSON form, so that the schema shows none."""


class NotJsonError(TypeError):
    """A default that cannot be written as JSON."""


def json_default(value: object) -> Any:
    """The default as JSON data: enums by value, models and dataclasses by their fields, the rest copied.

    `ABSENT` for what holds NaN or infinity, which JSON lacks. Raises `NotJsonError` for any other object.
    """
    try:
        return json.loads(json.dumps(value, default=_plain, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        try:
            json.dumps(value, default=_plain)
        except (TypeError, ValueError, RecursionError):
            raise NotJsonError(f"{type(value).__name__} cannot be written as JSON: {error}") from error
        return ABSENT


def json_schema(schema: Any) -> Any:
    """A schema as JSON data, without the NaN and infinities that no reader of JSON accepts.

    Raises `NotJsonError` for one that holds anything else.
    """
    try:
        return json.loads(json.dumps(_without_non_finite(schema)))
    except (TypeError, ValueError, RecursionError) as error:
        raise NotJsonError(f"it is not JSON: {error}") from error


def _without_non_finite(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {key: _without_non_finite(held) for key, held in schema.items() if _finite(held)}
    if isinstance(schema, list | tuple):
        return [_without_non_finite(held) for held in schema if _finite(held)]
    return schema


def _finite(value: object) -> bool:
    return not isinstance(value, float) or value - value == 0


def _plain(value: object) -> object:
    """What `json` should write for an object that it does not know."""
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.init}
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")
