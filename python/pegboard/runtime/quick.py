"""Owns the short way from the most common types to core schema and JSON Schema.

What it gives is what pydantic gives, tested against it; whatever it does not know it leaves to pydantic.
Most tools have no other parameters than these, and pydantic takes ten times as long for them. Must not know
functions or models.
"""

from __future__ import annotations

import math
import types
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import Field
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, core_schema

from .annotations import metadata_text
from .numbers import exact

__all__ = ["Quick", "quick", "quick_default"]


class Quick(NamedTuple):
    """A type in its two forms; both are shared and must not be changed."""

    core: CoreSchema
    json: dict[str, Any]
    description: str | None = None

    def described(self) -> dict[str, Any]:
        """The JSON Schema with the description, its keys in pydantic's order."""
        if not self.description:
            return self.json
        return dict(sorted((self.json | {"description": self.description}).items()))


_FIELD = Field()
_FIELD_PARTS = (
    "alias",
    "alias_priority",
    "validation_alias",
    "serialization_alias",
    "title",
    "field_title_generator",
    "examples",
    "exclude",
    "discriminator",
    "deprecated",
    "json_schema_extra",
    "frozen",
    "validate_default",
    "default",
    "default_factory",
    "metadata",
)


def quick(annotation: Any, *, exact_numbers: bool) -> Quick | None:
    """`annotation` in its two forms, or `None` if it is not one of the types that are known here."""
    description: str | None = None
    if get_origin(annotation) is Annotated:
        metadata = annotation.__metadata__
        for item in metadata:
            if isinstance(item, FieldInfo):
                if not _only_describes(item):
                    return None
                description = item.description or description
            elif not isinstance(item, str):
                return None
        description = description or metadata_text(metadata)
        annotation = annotation.__origin__
    try:
        found = _of(annotation, exact_numbers)
    except TypeError:  # not hashable, so none of ours
        return None
    return found if found is None or description is None else found._replace(description=description)


def quick_default(value: Any) -> bool:
    """Whether a default is written in a schema as it stands."""
    if isinstance(value, list):
        return type(value) is list and all(map(quick_default, value))
    if isinstance(value, dict):
        return type(value) is dict and all(
            type(key) is str and quick_default(item) for key, item in value.items()
        )
    if type(value) is float:
        return math.isfinite(value)
    return value is None or type(value) in (str, int, bool)


def _only_describes(field: FieldInfo) -> bool:
    return all(getattr(field, part, None) == getattr(_FIELD, part, None) for part in _FIELD_PARTS)


@cache
def _of(annotation: Any, exact_numbers: bool) -> Quick | None:
    if isinstance(annotation, type):
        made = _plain(annotation)
        if made is not None:
            return Quick(exact(made.core), made.json) if exact_numbers else made
    return _generic(annotation, get_origin(annotation), get_args(annotation), exact_numbers)


def _plain(annotation: type) -> Quick | None:
    if annotation is str:
        return Quick(core_schema.str_schema(), {"type": "string"})
    if annotation is int:
        return Quick(core_schema.int_schema(), {"type": "integer"})
    if annotation is bool:
        return Quick(core_schema.bool_schema(), {"type": "boolean"})
    if annotation is float:
        return Quick(core_schema.float_schema(), {"type": "number"})
    if annotation is bytes:
        return Quick(core_schema.bytes_schema(), {"contentEncoding": "base64", "type": "string"})
    if annotation is dict:
        return Quick(core_schema.dict_schema(), {"additionalProperties": True, "type": "object"})
    if annotation is list:
        return Quick(core_schema.list_schema(), {"items": {}, "type": "array"})
    return None


def _generic(annotation: Any, origin: Any, arguments: tuple[Any, ...], exact_numbers: bool) -> Quick | None:
    if annotation is Any:
        return Quick(core_schema.any_schema(), {})
    if origin is list and len(arguments) == 1:
        item = _of(arguments[0], exact_numbers)
        if item is not None:
            return Quick(core_schema.list_schema(item.core), {"items": item.json, "type": "array"})
    elif origin is dict and len(arguments) == 2 and arguments[0] is str:
        value = _of(arguments[1], exact_numbers)
        if value is not None:
            core = core_schema.dict_schema(core_schema.str_schema(), value.core)
            return Quick(core, {"additionalProperties": value.json or True, "type": "object"})
    elif origin is Union or origin is types.UnionType:
        return _nullable(arguments, exact_numbers)
    elif origin is Literal:
        return _literal(arguments)
    return None


def _nullable(arguments: tuple[Any, ...], exact_numbers: bool) -> Quick | None:
    if len(arguments) != 2 or arguments[1] is not type(None) or arguments[0] is Any:
        return None
    inner = _of(arguments[0], exact_numbers)
    if inner is None:
        return None
    return Quick(core_schema.nullable_schema(inner.core), {"anyOf": [inner.json, {"type": "null"}]})


def _literal(values: tuple[Any, ...]) -> Quick | None:
    if not all(type(value) is str for value in values):
        return None
    if len(values) == 1:
        return Quick(core_schema.literal_schema(list(values)), {"const": values[0], "type": "string"})
    return Quick(core_schema.literal_schema(list(values)), {"enum": list(values), "type": "string"})
