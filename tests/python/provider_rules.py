"""Owns what providers say of schemas, written down once more from their pages, to judge exports by.

Must not look at pegboard's own tables: the point is that both agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator

Schema = dict[str, Any]

ANNOTATIONS = {"title", "description", "default"}
STRICT = {"$defs", "$ref", "anyOf", "const", "enum", "type", "format", "pattern", "properties", "required"}
STRICT |= {"additionalProperties", "items", "minItems", "title", "description"}
OPENAI_STRICT = STRICT | {
    "maxItems",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
}
OPENAI_FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
GEMINI = {"type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems", "properties"}
GEMINI |= {
    "required",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "pattern",
    "anyOf",
    "items",
}
GEMINI |= {"default", "minimum", "maximum"}
GEMINI_FORMATS = {"date-time", "enum", "int32", "int64", "float", "double"}
COMBINATORS = {"anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else"}

PARAMETER_NAMES = {
    "anthropic": re.compile(r"[a-zA-Z0-9_.-]{1,64}"),
    "bedrock": re.compile(r"[a-zA-Z0-9_.-]{1,64}"),
    "gemini": re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}"),
}
TOOL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")


def inside(schema: Any) -> Iterator[Schema]:
    """Every schema object in a schema, itself first."""
    if not isinstance(schema, dict):
        return
    yield schema
    for keyword, value in schema.items():
        if keyword in ("properties", "$defs", "patternProperties", "dependentSchemas"):
            for child in value.values():
                yield from inside(child)
        elif keyword in ("anyOf", "oneOf", "allOf", "prefixItems"):
            for child in value:
                yield from inside(child)
        elif keyword in (
            "items",
            "additionalProperties",
            "not",
            "contains",
            "propertyNames",
            "if",
            "then",
            "else",
        ):
            yield from inside(value)


def broken(provider: str, schema: Schema, *, strict: bool) -> list[str]:
    """The rules of a provider that a parameters schema breaks."""
    found = [f"{keyword} at the root" for keyword in COMBINATORS & schema.keys()]
    if schema.get("type") != "object":
        found.append("no object")
    if not strict or provider != "gemini":
        Draft202012Validator.check_schema(schema)
    if names := PARAMETER_NAMES.get(provider):
        found += [f"the name {name}" for name in schema["properties"] if not names.fullmatch(name)]
    if provider in ("gemini", "bedrock"):
        found += ["a reference" for each in inside(schema) if "$ref" in each]
    if provider == "bedrock" and not strict:
        found += [f"{keyword} at the root" for keyword in schema.keys() - {"type", "properties", "required"}]
    if provider == "gemini":
        found += [rule for each in inside(schema) for rule in gemini(each)]
    if provider.startswith("openai"):
        found += [rule for each in inside(schema) for rule in openai(each)]
    if strict:
        keywords = OPENAI_STRICT if provider.startswith("openai") else STRICT | {"default"}
        found += [rule for each in inside(schema) for rule in loose(each, keywords)]
    return found


def openai(schema: Schema) -> Iterator[str]:
    if "$ref" in schema and len(schema) > 1:
        yield "something beside a reference"
    if schema.get("format", "date") not in OPENAI_FORMATS:
        yield f"the format {schema['format']}"
    if is_type(schema, "array") and not isinstance(schema.get("items"), dict):
        yield "an array without items"


def gemini(schema: Schema) -> Iterator[str]:
    yield from (f"the keyword {keyword}" for keyword in schema.keys() - GEMINI)
    if schema.get("format", "enum") not in GEMINI_FORMATS:
        yield f"the format {schema['format']}"
    if "anyOf" in schema:
        if len(schema) > 1:
            yield "something beside a union"
    elif not isinstance(schema.get("type"), str):
        yield "not one type"
    if not all(isinstance(value, str) for value in schema.get("enum", [])):
        yield "an enum that is no text"
    if is_type(schema, "array") and "items" not in schema:
        yield "an array without items"
    if not set(schema.get("required", [])) <= schema.get("properties", {}).keys():
        yield "a name that is required and not declared"


def loose(schema: Schema, keywords: set[str]) -> Iterator[str]:
    yield from (f"the keyword {keyword}" for keyword in schema.keys() - keywords)
    if not schema.keys() & {"type", "anyOf", "enum", "const", "$ref"}:
        yield "any value"
    if is_type(schema, "object"):
        if schema.get("additionalProperties") is not False:
            yield "an open object"
        if set(schema.get("required", [])) != schema.get("properties", {}).keys():
            yield "properties that may be left out"


def is_type(schema: Schema, name: str) -> bool:
    kind = schema.get("type")
    return name == kind or (isinstance(kind, list) and name in kind)
