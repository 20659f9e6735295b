"""Owns which types a dendrux tool's parameters may have and the JSON Schema that each becomes.

The rules are those of the tools page: supported types, nesting, what is rejected and why. Must not know of
functions, defaults of parameters, decorators or calls.
"""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from collections.abc import Iterable
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import typing_extensions
from pydantic import BaseModel, TypeAdapter
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticUndefinedAnnotation, PydanticUserError
from pydantic.fields import FieldInfo

from pegboard.dialects.dendrux_defaults import ABSENT, NotJsonError, json_default
from pegboard.dialects.dendrux_nodes import Schema, json_types, rebuilt

SUPPORTED = (
    "str, int, float, bool, list[T], dict, dict[str, T], Literal, Enum, BaseModel, dataclass, TypedDict,"
    " Annotated and T | None"
)
"""The types that have a schema, for messages."""

_JSON_NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object"}
_PYTHON_TYPES = {name: python_type for python_type, name in _JSON_NAMES.items()}
_UNIONS = (typing.Union, types.UnionType)
_QUALIFIERS = (typing.Required, typing.NotRequired, typing_extensions.ReadOnly)

_LIMITS = frozenset(
    (
        "exclusiveMaximum",
        "exclusiveMinimum",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "multipleOf",
        "pattern",
    )
)
"""What `Annotated` may add to a schema beside the description."""


class UnsupportedError(TypeError):
    """A type that has no schema, with the reason."""


def schema_of(hint: Any, enclosing: tuple[type, ...] = ()) -> Schema:
    """The schema of a resolved type hint; `enclosing` are the classes whose fields are being described.

    Raises `UnsupportedError` for a type that has no schema, and `NameError` where a class names what does not
    exist (yet).
    """
    origin = get_origin(hint)
    if origin is Annotated:
        base, *metadata = get_args(hint)
        return _annotated(schema_of(base, enclosing), metadata)
    if origin in _UNIONS:
        return _optional(hint, enclosing)
    if origin is Literal:
        return _choice(get_args(hint), hint)
    if origin is list:
        items = [schema_of(item, enclosing) for item in get_args(hint)]
        return {"type": "array", "items": items[0]} if items else {"type": "array"}
    if origin is dict:
        return _dictionary(hint, enclosing)
    if isinstance(hint, type) and origin is None:
        if issubclass(hint, enum.Enum):
            return _choice([member.value for member in hint], hint)
        if issubclass(hint, BaseModel):
            return _model(hint)
        if dataclasses.is_dataclass(hint):
            return _record(hint, enclosing)
        if typing_extensions.is_typeddict(hint):
            return _typed_dict(hint, enclosing)
        if hint in _JSON_NAMES:
            return {"type": _JSON_NAMES[hint]}
    raise UnsupportedError(
        f"{_shown(hint)} is not a supported type ({SUPPORTED}); describe it with parameters="
    )


def description_of(hint: Any) -> str | None:
    """The text that `Annotated` gives a value, directly or inside of `T | None`."""
    if get_origin(hint) in _UNIONS:
        return next((text for arm in get_args(hint) if (text := description_of(arm))), None)
    return _text(get_args(hint)[1:]) if get_origin(hint) is Annotated else None


def is_optional(hint: Any) -> bool:
    """Whether `None` is one arm of the hint."""
    while get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    return get_origin(hint) in _UNIONS and types.NoneType in get_args(hint)


def nullable(schema: Schema) -> Schema:
    """The schema of the same value or null."""
    declared = json_types(schema)
    if not declared:
        return {"anyOf": [schema, {"type": "null"}]}
    schema = {**schema, "type": [*declared, *(["null"] if "null" not in declared else [])]}
    if "enum" in schema and None not in schema["enum"]:
        schema["enum"] = [*schema["enum"], None]
    return schema


def _optional(hint: Any, enclosing: tuple[type, ...]) -> Schema:
    arms = [arm for arm in get_args(hint) if arm is not types.NoneType]
    if len(arms) > 1:
        raise UnsupportedError(
            f"{_shown(hint)} is a union; of unions, only T | None has a schema; describe it with parameters="
        )
    return nullable(schema_of(arms[0], enclosing))


def _choice(values: Iterable[Any], hint: Any) -> Schema:
    """The schema of a Literal or Enum, whose values must be of one JSON type."""
    plain = [
        value.value if isinstance(value, enum.Enum) and isinstance(value, str | int) else value
        for value in values
    ]
    for value in plain:
        if not isinstance(value, str | int | float):
            raise UnsupportedError(
                f"{_shown(hint)} has the value {value!r}; values must be str, int, float or bool"
            )
    names = {next(name for kind, name in _CHOICE_NAMES if isinstance(value, kind)) for value in plain}
    if names == {"integer", "number"}:
        names = {"number"}
    if len(names) != 1:
        found = " and ".join(sorted(names)) or "no values"
        raise UnsupportedError(f"{_shown(hint)} has {found}; all values must be of one JSON type")
    return {"type": names.pop(), "enum": plain}


_CHOICE_NAMES = ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"))


def _dictionary(hint: Any, enclosing: tuple[type, ...]) -> Schema:
    if not get_args(hint):
        return {"type": "object"}
    key, value = get_args(hint)
    if key is not str:
        raise UnsupportedError(
            f"{_shown(hint)} has keys of type {_shown(key)}; the keys of a JSON object are str"
        )
    if value is Any:
        return {"type": "object"}
    return {"type": "object", "additionalProperties": schema_of(value, enclosing)}


def _model(model: type[BaseModel]) -> Schema:
    try:
        schema = model.model_json_schema()
    except PydanticInvalidForJsonSchema as error:
        raise UnsupportedError(f"{_shown(model)} has no JSON Schema: {error.message}") from error
    except PydanticUndefinedAnnotation as error:
        raise NameError(error.message, name=error.name) from error
    except PydanticUserError as error:
        raise NameError(error.message) from error
    definitions = schema.pop("$defs", {})
    return _inlined(schema, definitions, ())


def _inlined(schema: Schema, definitions: dict[str, Schema], opened: tuple[str, ...]) -> Schema:
    """`schema` with each reference replaced by what it means; what stands beside a reference wins."""
    reference = schema.get("$ref")
    if isinstance(reference, str):
        name = reference.removeprefix("#/$defs/")
        if name in opened:
            raise UnsupportedError(
                f"{name} contains itself and cannot be written out; describe it with parameters="
            )
        beside = {keyword: held for keyword, held in schema.items() if keyword != "$ref"}
        meant = _inlined(definitions[name], definitions, (*opened, name))
        return {**meant, **_inlined(beside, definitions, opened)}
    return rebuilt(schema, lambda child: _inlined(child, definitions, opened))


def _opened(kind: type, enclosing: tuple[type, ...]) -> tuple[type, ...]:
    if kind in enclosing:
        raise UnsupportedError(
            f"{kind.__name__} contains itself and cannot be written out; describe it with parameters="
        )
    return (*enclosing, kind)


def _record(record: type, enclosing: tuple[type, ...]) -> Schema:
    """The schema of a dataclass; a pydantic `Field(...)` in the place of a default counts as in a model."""
    enclosing = _opened(record, enclosing)
    hints = get_type_hints(record, include_extras=True)
    properties: dict[str, Schema] = {}
    required: list[str] = []
    for field in dataclasses.fields(record):
        if not field.init:
            continue
        schema = schema_of(hints[field.name], enclosing)
        default = field.default
        needed = default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if isinstance(default, FieldInfo):
            schema = _annotated(schema, [default])
            default, needed = default.default, default.is_required()
        if needed:
            required.append(field.name)
        elif (plain := _plain_default(default)) is not ABSENT:
            schema["default"] = plain
        properties[field.name] = schema
    return {"type": "object", "properties": properties, "required": required}


def _plain_default(value: object) -> object:
    try:
        return json_default(value)
    except NotJsonError:
        return ABSENT


def _typed_dict(kind: type, enclosing: tuple[type, ...]) -> Schema:
    enclosing = _opened(kind, enclosing)
    required_keys: frozenset[str] = getattr(kind, "__required_keys__", frozenset())
    properties: dict[str, Schema] = {}
    required: list[str] = []
    for key, hint in get_type_hints(kind, include_extras=True).items():
        plain, needed = _unqualified(hint, key in required_keys)
        properties[key] = schema_of(plain, enclosing)
        if needed:
            required.append(key)
    return {"type": "object", "properties": properties, "required": required}


def _unqualified(hint: Any, needed: bool) -> tuple[Any, bool]:
    """The hint of a key without `Required`, `NotRequired` and `ReadOnly`; whether the key must be there."""
    origin = get_origin(hint)
    if origin is Annotated:
        base, *metadata = get_args(hint)
        plain, needed = _unqualified(base, needed)
        return Annotated[plain, *metadata], needed
    if origin in _QUALIFIERS:
        if origin is not typing_extensions.ReadOnly:
            needed = origin is typing.Required
        return _unqualified(get_args(hint)[0], needed)
    return hint, needed


def _annotated(schema: Schema, metadata: list[Any]) -> Schema:
    """`schema` with the description and the limits that the metadata of `Annotated` give it."""
    text = _text(metadata)
    return {**schema, **_limits(schema, metadata), **({} if text is None else {"description": text})}


def _text(metadata: Iterable[Any]) -> str | None:
    """The description among metadata: the last string, or object with a `description`."""
    texts = [item if isinstance(item, str) else getattr(item, "description", None) for item in metadata]
    return next((text for text in reversed(texts) if isinstance(text, str)), None)


def _limits(schema: Schema, metadata: Iterable[Any]) -> Schema:
    """The keywords of limits such as `Field(ge=1)`; a limit that does not suit the type is left out."""
    kind = next((_PYTHON_TYPES[name] for name in json_types(schema) if name in _PYTHON_TYPES), None)
    rules: list[Any] = []
    for item in metadata:
        if isinstance(item, FieldInfo):
            rules.extend(item.metadata)
        elif not isinstance(item, str):
            rules.append(item)
    if kind is None or not rules or "enum" in schema:
        return {}
    hint: Any = Annotated[kind, *rules]
    try:
        limited = TypeAdapter(hint).json_schema()
    except (
        Exception
    ):  # metadata may be any object, and the framework's own reader ignores what it does not know
        return {}
    return {keyword: held for keyword, held in limited.items() if keyword in _LIMITS}


def _shown(hint: Any) -> str:
    """A type for messages: classes by name, everything else as written."""
    return hint.__qualname__ if isinstance(hint, type) and get_origin(hint) is None else str(hint)
