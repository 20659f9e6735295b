"""Owns the way from parameters to a JSON Schema and a validator, built from one core schema.

Must not read functions or docstrings: it gets resolved parameters and finished descriptions.
"""

from __future__ import annotations

import inspect
import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from pydantic import ConfigDict
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import CoreSchema, SchemaValidator, core_schema

with warnings.catch_warnings():
    # Some versions say at the import that it may change; that is for us to test, not for the host to read.
    warnings.simplefilter("ignore")
    from pydantic.experimental.arguments_schema import generate_arguments_schema

from .annotations import described, prepared, typed_dict_of_unpack
from .bound import ArgumentsValidator
from .json_schema import ParametersJsonSchema
from .numbers import exact
from .quick import Quick, quick, quick_default
from .signature import EMPTY, Kind, Parameter

__all__ = ["ArgumentsSchema", "ParametersJsonSchema", "SchemaRejected", "arguments", "output"]

_VALUE = "value"
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
    descriptions = descriptions or {}
    config = core_schema.CoreConfig(val_json_bytes=bytes_encoding, **({"title": title} if title else {}))
    if generator is ParametersJsonSchema and bytes_encoding == "base64":
        simple = _simple(parameters, descriptions, exact_numbers)
        if simple is not None:
            core, schema = simple
            return ArgumentsSchema(
                schema, _validator(_positional(core, parameters), config, prebuilt=True), {}
            )
    parameters = [_ready(parameter, descriptions) for parameter in parameters]
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
    if generator is ParametersJsonSchema:
        simple = quick(annotation, exact_numbers=False)
        if simple is not None:
            return simple.described()
    value = Parameter(_VALUE, Kind.KEYWORD_ONLY, prepared(annotation))
    try:
        made = generator().generate(_core([value], module), mode="serialization")
    except Exception:
        return None
    schema: dict[str, Any] = made["properties"][_VALUE]
    definitions: dict[str, Any] = made.get("$defs", {})
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    if name and len(schema) == 1 and f'"#/$defs/{name}"' not in json.dumps(definitions):
        schema = definitions.pop(name)  # only the root refers to it
    return schema | ({"$defs": definitions} if definitions else {})


def _simple(
    parameters: Sequence[Parameter], descriptions: Mapping[str, str], exact_numbers: bool
) -> tuple[CoreSchema, dict[str, Any]] | None:
    """The short way for parameters of common types only; the result is that of the long way."""
    arguments: list[core_schema.ArgumentsParameter] = []
    properties: dict[str, Any] = {}
    required: list[str] = []
    rest: Quick | None = None
    for parameter in parameters:
        annotation = Any if parameter.annotation is EMPTY else parameter.annotation
        made = quick(annotation, exact_numbers=exact_numbers)
        if made is None:
            return None
        core, json_schema, description = made
        default = parameter.default
        if parameter.kind is Kind.VAR_POSITIONAL:
            json_schema = {"items": made.described(), "type": "array"}
            core, description, default = core_schema.list_schema(core), None, []
        description = description or descriptions.get(parameter.name)
        if parameter.kind is Kind.VAR_KEYWORD:
            rest = Quick(core, json_schema, description)
            continue
        extra: dict[str, Any] = {"description": description} if description else {}
        if default is EMPTY:
            required.append(parameter.name)
        elif quick_default(default):
            core = core_schema.with_default_schema(core, default=default)
            extra["default"] = default
        else:
            return None
        arguments.append(core_schema.arguments_parameter(parameter.name, core, mode="keyword_only"))
        properties[parameter.name] = dict(sorted((json_schema | extra).items())) if extra else json_schema
    core = core_schema.arguments_schema(
        arguments,
        var_kwargs_mode=None if rest is None else "uniform",
        var_kwargs_schema=None if rest is None else rest.core,
    )
    schema: dict[str, Any] = {}
    additional = False if rest is None else rest.described()
    if additional != {}:
        schema["additionalProperties"] = additional
    schema["properties"] = properties
    if required:
        schema["required"] = required
    schema["type"] = "object"
    return core, schema


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


def _first_line(reason: Exception) -> str:
    text = str(reason).strip() or type(reason).__name__
    return text.split("\n", 1)[0]
