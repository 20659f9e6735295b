"""Owns the way from parameters to a JSON Schema and a validator, built from one core schema.

Must not read functions or docstrings: it gets resolved parameters and finished descriptions.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from pydantic import ConfigDict, TypeAdapter
from pydantic.experimental.arguments_schema import generate_arguments_schema
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import CoreSchema, PydanticSerializationError, SchemaValidator, core_schema

from .annotations import described, metadata_text, prepared, typed_dict_of_unpack
from .bound import ArgumentsValidator
from .locate import hides_non_finite
from .numbers import exact
from .signature import EMPTY, Kind, Parameter

__all__ = ["ArgumentsSchema", "ParametersJsonSchema", "SchemaRejected", "arguments", "output"]

_CONFIG = ConfigDict(val_json_bytes="base64")


class SchemaRejected(Exception):  # noqa: N818 - a verdict on the author's signature
    """A parameter cannot be described; `parameter` is `None` where the fault is not with one of them."""

    def __init__(self, parameter: str | None, reason: str) -> None:
        """Keep the parameter's name and the reason."""
        super().__init__(reason)
        self.parameter = parameter
        self.reason = reason


@dataclass(frozen=True, slots=True)
class ArgumentsSchema:
    """How the arguments of a function look and how they are read."""

    json_schema: dict[str, Any]
    validator: ArgumentsValidator
    omitted: Mapping[str, str]
    """Parameters with a default that have no JSON form, by name with the reason; they keep their default."""


class ParametersJsonSchema(GenerateJsonSchema):
    """pydantic's generator without what says nothing: titles made from names, and defaults that are not
    JSON.
    """

    titles = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """See pydantic."""
        super().__init__(*args, **kwargs)
        self._base64 = [True]

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Only titles that an author wrote."""
        return self.titles and super().field_title_should_be_set(schema)

    def emit_warning(self, kind: Any, detail: str) -> None:
        """What a schema cannot say is visible in the schema; a warning would go to the host's stderr."""

    def bytes_schema(self, schema: core_schema.BytesSchema) -> JsonSchemaValue:
        """Bytes are base64 text, except in a model, whose own settings decide."""
        if self._base64[-1]:
            return {"type": "string", "contentEncoding": "base64"}
        return super().bytes_schema(schema)

    def encode_default(self, dft: Any) -> Any:
        """A default as JSON; pydantic leaves out the default for which this raises."""
        if dft is None or type(dft) in (bool, int, str):
            return dft
        if not _finite(dft) or hides_non_finite(dft):
            raise PydanticSerializationError("not a finite number")
        return dft if type(dft) is float else super().encode_default(dft)

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """A model with the descriptions of its fields, also those written as strings."""
        cls = schema["cls"]
        self._base64.append(cls.model_config.get("val_json_bytes") == "base64")
        try:
            made = super().model_schema(schema)
        finally:
            self._base64.pop()
        return self._finish_class(
            made, cls, {name: field.metadata for name, field in cls.model_fields.items()}
        )

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        """See `model_schema`."""
        return self._finish_class(super().dataclass_schema(schema), schema["cls"], None)

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        """See `model_schema`."""
        made = super().typed_dict_schema(schema)
        cls = schema.get("cls")
        return made if cls is None else self._finish_class(made, cls, None)

    def generate(self, schema: CoreSchema, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:
        """The finished schema; an enum's class name goes last because pydantic adds it late."""
        made = super().generate(schema, mode)
        if not self.titles:
            for definition in (made, *made.get("$defs", {}).values()):
                if "enum" in definition:
                    definition.pop("title", None)
        return made

    def _untitled(self, made: JsonSchemaValue, cls: Any) -> JsonSchemaValue:
        if not self.titles and made.get("title") == cls.__name__:
            del made["title"]
        return made

    def _finish_class(
        self, made: JsonSchemaValue, cls: Any, metadata: Mapping[str, Sequence[Any]] | None
    ) -> JsonSchemaValue:
        properties = made.get("properties")
        if properties:
            if metadata is None:
                metadata = _annotated_fields(cls)
            for name, items in metadata.items():
                text = metadata_text(items)
                if text is not None and name in properties:
                    properties[name].setdefault("description", text)
        return self._untitled(made, cls)


def arguments(
    parameters: Sequence[Parameter],
    *,
    descriptions: Mapping[str, str] | None = None,
    module: str = "",
    title: str | None = None,
    exact_numbers: bool = False,
    bytes_encoding: Literal["base64", "utf8"] = "base64",
    generator: type[GenerateJsonSchema] = ParametersJsonSchema,
) -> ArgumentsSchema:
    """Describe `parameters` and build what reads them from JSON text.

    `descriptions` are the docstring's texts by parameter name; what the types say themselves goes before
    them. `title` stands in the text of a validation error. `exact_numbers` refuses booleans and inexact
    floats for numbers. `bytes_encoding` is how JSON text stands for bytes.

    Raises `SchemaRejected` for the first required parameter that has no JSON form.
    """
    parameters = [_ready(parameter, descriptions or {}) for parameter in parameters]
    omitted: dict[str, str] = {}
    try:
        core = _core(parameters, module)
        schema = generator().generate(core)
    except Exception as failure:
        parameters, omitted = _without_undescribable(parameters, module, generator, failure)
        core = _core(parameters, module)
        schema = generator().generate(core)
    _merge_unpacked(schema, parameters)
    core = _positional(core, parameters)
    config = core_schema.CoreConfig(val_json_bytes=bytes_encoding, **({"title": title} if title else {}))
    if exact_numbers:
        changed = exact(core)
        if changed is not core:
            # A model's prebuilt validator would not know the rule.
            return ArgumentsSchema(schema, _validator(changed, config, prebuilt=False), omitted)
    return ArgumentsSchema(schema, _validator(core, config, prebuilt=True), omitted)


def output(
    annotation: Any, *, module: str = "", generator: type[GenerateJsonSchema] = ParametersJsonSchema
) -> dict[str, Any] | None:
    """The JSON Schema of a value, or `None` where the type says nothing that a schema could."""
    if annotation is EMPTY or annotation is Any or annotation is object:
        return None
    try:
        adapter: TypeAdapter[Any] = TypeAdapter(prepared(annotation), config=None, module=module)
        return generator().generate(adapter.core_schema, mode="serialization")
    except Exception:
        return None


def _ready(parameter: Parameter, descriptions: Mapping[str, str]) -> Parameter:
    annotation = Any if parameter.annotation is EMPTY else prepared(parameter.annotation)
    if parameter.kind is Kind.VAR_POSITIONAL:
        annotation = _list_of(annotation)
    annotation = described(annotation, parameter.default, descriptions.get(parameter.name))
    default = [] if parameter.kind is Kind.VAR_POSITIONAL else parameter.default
    return Parameter(parameter.name, parameter.kind, annotation, default)


def _list_of(item: Any) -> Any:
    return list[item]


def _core(parameters: Sequence[Parameter], module: str) -> CoreSchema:
    """One core schema for a function with these parameters, all of them given by keyword."""

    def stub() -> None: ...

    named = [
        inspect.Parameter(
            parameter.name,
            Kind.VAR_KEYWORD if parameter.kind is Kind.VAR_KEYWORD else Kind.KEYWORD_ONLY,
            default=parameter.default,
            annotation=parameter.annotation,
        )
        for parameter in parameters
    ]
    stub.__signature__ = inspect.Signature(named, __validate_parameters__=False)  # type: ignore[attr-defined]
    stub.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    stub.__module__ = module
    return generate_arguments_schema(stub, "arguments", config=_CONFIG)


def _validator(core: CoreSchema, config: core_schema.CoreConfig, *, prebuilt: bool) -> ArgumentsValidator:
    if not prebuilt:
        try:
            return cast(ArgumentsValidator, SchemaValidator(core, config, _use_prebuilt=False))
        except TypeError:  # older pydantic-core: it has no such choice
            pass
    return cast(ArgumentsValidator, SchemaValidator(core, config))


def _positional(core: CoreSchema, parameters: Sequence[Parameter]) -> CoreSchema:
    """Deliver by position what a function takes by position alone."""
    kinds = [parameter.kind for parameter in parameters]
    starred = Kind.VAR_POSITIONAL in kinds
    if not starred and Kind.POSITIONAL_ONLY not in kinds:
        return core
    leading = [
        parameter.name
        for parameter in parameters
        if parameter.kind is Kind.POSITIONAL_ONLY
        or (starred and parameter.kind is Kind.POSITIONAL_OR_KEYWORD)
    ]
    rest = next((parameter.name for parameter in parameters if parameter.kind is Kind.VAR_POSITIONAL), None)

    def place(read: tuple[tuple[Any, ...], dict[str, Any]]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        _, keywords = read
        positional = [keywords.pop(name) for name in leading]
        if rest is not None:
            positional += keywords.pop(rest)
        return tuple(positional), keywords

    return core_schema.no_info_after_validator_function(place, core)


def _without_undescribable(
    parameters: Sequence[Parameter], module: str, generator: type[GenerateJsonSchema], failure: Exception
) -> tuple[list[Parameter], dict[str, str]]:
    kept: list[Parameter] = []
    omitted: dict[str, str] = {}
    for parameter in parameters:
        try:
            generator().generate(_core([parameter], module))
        except Exception as reason:
            if parameter.default is EMPTY or isinstance(parameter.default, FieldInfo):
                raise SchemaRejected(parameter.name, _first_line(reason)) from reason
            omitted[parameter.name] = _first_line(reason)
        else:
            kept.append(parameter)
    if not omitted:
        raise SchemaRejected(None, _first_line(failure)) from failure
    return kept, omitted


def _merge_unpacked(schema: dict[str, Any], parameters: Sequence[Parameter]) -> None:
    """`**options: Unpack[T]`: the keys of T are parameters like any other."""
    if not parameters or typed_dict_of_unpack(parameters[-1].annotation) is None:
        return
    extra = schema.pop("additionalProperties", None)
    while isinstance(extra, dict) and "$ref" in extra:
        extra = schema.get("$defs", {}).pop(extra["$ref"].rpartition("/")[2])
    if not isinstance(extra, dict):
        return
    schema["properties"] = schema.get("properties", {}) | extra.get("properties", {})
    required = schema.get("required", []) + extra.get("required", [])
    if required:
        schema["required"] = required
    schema["additionalProperties"] = extra.get("additionalProperties", False)
    if not schema.get("$defs", True):
        del schema["$defs"]


def _annotated_fields(cls: Any) -> dict[str, Sequence[Any]]:
    try:
        hints = inspect.get_annotations(cls)
        if any(isinstance(hint, str) for hint in hints.values()) or len(cls.__mro__) > 2:
            from typing import get_type_hints

            hints = get_type_hints(cls, include_extras=True)
    except Exception:
        return {}
    return {name: hint.__metadata__ for name, hint in hints.items() if hasattr(hint, "__metadata__")}


def _finite(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(map(_finite, value.values()))
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(_finite, value))
    return True


def _first_line(reason: Exception) -> str:
    text = str(reason).strip() or type(reason).__name__
    return text.split("\n", 1)[0]
