"""Owns how a finished core schema is written as JSON Schema.

Must not build core schemas, and must not inline or rewrite references: that is done per provider by the host.
"""

from __future__ import annotations

import copy
import math
import typing
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import CoreSchema, PydanticSerializationError, core_schema

from .annotations import describe_parts, metadata_text, unmarked
from .locate import hides_non_finite
from .quick import quick_default

__all__ = ["ParametersJsonSchema"]

_METHODS: dict[type, dict[Any, str]] = {}


class ParametersJsonSchema(GenerateJsonSchema):
    """pydantic's generator without what says nothing: titles made from names, defaults that are not JSON."""

    titles = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """See pydantic."""
        super().__init__(*args, **kwargs)
        self._base64 = [True]

    def build_schema_type_to_method(self) -> dict[Any, Any]:
        """pydantic's table, whose keys and names are worked out once and not for each schema."""
        names = _METHODS.get(type(self))
        if names is None:
            made = super().build_schema_type_to_method()
            _METHODS[type(self)] = {kind: method.__name__ for kind, method in made.items()}
            return made
        return {kind: getattr(self, name) for kind, name in names.items()}

    def generate(self, schema: CoreSchema, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:
        """The finished schema; an enum's class name goes last because pydantic adds it late."""
        made = super().generate(schema, mode)
        if not self.titles:
            for definition in (made, *made.get("$defs", {}).values()):
                if "enum" in definition:
                    definition.pop("title", None)
        return made

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Only titles that an author wrote."""
        return self.titles and super().field_title_should_be_set(schema)

    def kw_arguments_schema(self, arguments: Any, var_kwargs_schema: Any) -> JsonSchemaValue:
        """Parameters without titles made from their names, which older pydantic adds without asking."""
        made = super().kw_arguments_schema(arguments, var_kwargs_schema)
        for name, schema in made["properties"].items() if not self.titles else ():
            if schema.get("title") == self.get_title_from_name(name):
                del schema["title"]
        return made

    def emit_warning(self, kind: Any, detail: str) -> None:
        """What a schema cannot say is visible in the schema; a warning would go to the host's stderr."""

    def bytes_schema(self, schema: core_schema.BytesSchema) -> JsonSchemaValue:
        """Bytes are base64 text, except where a class has settings of its own."""
        if self._base64[-1]:
            return {"type": "string", "contentEncoding": "base64"}
        return super().bytes_schema(schema)

    def encode_default(self, dft: Any) -> Any:
        """A default as JSON; pydantic leaves out the default for which this raises."""
        if isinstance(dft, Enum):
            dft = dft.value
        if quick_default(dft):
            return copy.deepcopy(dft) if isinstance(dft, list | dict) else dft
        if not _finite(dft) or hides_non_finite(dft):
            raise PydanticSerializationError("not a finite number")
        return super().encode_default(dft)

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """A model with the descriptions of its fields, also those written as strings."""
        cls = schema["cls"]
        with self._settings_of(cls.model_config):
            made = super().model_schema(schema)
        for name, field in cls.model_fields.items():
            names = (field.validation_alias, field.serialization_alias, field.alias, name)
            _describe(made, names, metadata_text(field.metadata), field.annotation)
        return self._untitled(made, cls)

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        """See `model_schema`."""
        cls = schema["cls"]
        with self._settings_of(getattr(cls, "__pydantic_config__", None)):
            made = super().dataclass_schema(schema)
        return self._from_hints(made, cls)

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        """See `model_schema`."""
        cls = schema.get("cls")
        with self._settings_of(getattr(cls, "__pydantic_config__", None)):
            made = super().typed_dict_schema(schema)
        return made if cls is None else self._from_hints(made, cls)

    @contextmanager
    def _settings_of(self, config: Any) -> Iterator[None]:
        """Let a class with settings say how bytes are written in it."""
        if config is None:
            yield
            return
        key = "ser_json_bytes" if self.mode == "serialization" else "val_json_bytes"
        self._base64.append(config.get(key) == "base64")
        try:
            yield
        finally:
            self._base64.pop()

    def _untitled(self, made: JsonSchemaValue, cls: Any) -> JsonSchemaValue:
        if not self.titles and made.get("title") == cls.__name__:
            del made["title"]
        return made

    def _from_hints(self, made: JsonSchemaValue, cls: Any) -> JsonSchemaValue:
        try:
            hints = typing.get_type_hints(cls, include_extras=True)
        except Exception:  # pydantic resolves more than Python does; then there is nothing to add
            hints = {}
        for name, hint in hints.items():
            inner = unmarked(hint)
            _describe(made, (name,), metadata_text(getattr(inner, "__metadata__", ())), inner)
        return self._untitled(made, cls)


def _describe(made: JsonSchemaValue, names: tuple[Any, ...], text: str | None, annotation: Any) -> None:
    properties = made.get("properties", {})
    name = next((name for name in names if isinstance(name, str) and name in properties), None)
    if name is None:
        return
    if text is not None:
        properties[name].setdefault("description", text)
    describe_parts(annotation, properties[name])


def _finite(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(map(_finite, value.values()))
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(_finite, value))
    return True
