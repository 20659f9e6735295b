"""Owns how a JSON Schema is walked: which keywords hold schemas, and how a path to one is written.

Must not know what is done with the nodes. What stands under `default`, `const`, `enum` or `examples` is data
and is never walked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

Schema = dict[str, Any]

_MAPS = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
_LISTS = ("prefixItems", "anyOf", "oneOf", "allOf")
_SINGLES = (
    "items",
    "additionalItems",
    "additionalProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
    "propertyNames",
    "contains",
    "not",
    "if",
    "then",
    "else",
)

COMPOSITES = frozenset(("$dynamicRef", "$ref", "allOf", "anyOf", "else", "if", "not", "oneOf", "then"))
"""Keywords that only a full validator can judge; a value whose schema has one is let through."""


class Inner(NamedTuple):
    """A schema directly inside of another."""

    keyword: str
    name: str
    """What it stands under: a property, a definition, a position; empty for a lone schema."""
    schema: Schema

    @property
    def step(self) -> str:
        """The end of the path that leads there: `.name`, `[]`, `.anyOf[0]`, `.$defs.Name`."""
        if self.keyword == "properties":
            return f".{self.name}"
        if self.keyword in _LISTS:
            return f".{self.keyword}[{self.name}]"
        if self.keyword == "items":
            return "[]"
        return f".{self.keyword}.{self.name}" if self.name else f".{self.keyword}"


def subschemas(schema: Schema) -> Iterator[Inner]:
    """Each schema directly inside `schema`: properties first, definitions last."""
    for keyword in (*_MAPS[:1], *_SINGLES, *_LISTS, *_MAPS[1:]):
        held = schema.get(keyword)
        if isinstance(held, dict) and keyword in _MAPS:
            children = list(held.items())
        elif isinstance(held, list) and keyword in _LISTS:
            children = [(str(index), child) for index, child in enumerate(held)]
        else:
            children = [("", held)]
        yield from (Inner(keyword, name, child) for name, child in children if isinstance(child, dict))


def rebuilt(schema: Schema, change: Callable[[Schema], Schema]) -> Schema:
    """A copy of `schema` in which each schema directly inside it is what `change` makes of it."""

    def changed(child: Any) -> Any:
        return change(child) if isinstance(child, dict) else child

    copy: Schema = {}
    for keyword, held in schema.items():
        if keyword in _MAPS and isinstance(held, dict):
            copy[keyword] = {name: changed(child) for name, child in held.items()}
        elif keyword in _LISTS and isinstance(held, list):
            copy[keyword] = [changed(child) for child in held]
        elif keyword in _SINGLES:
            copy[keyword] = changed(held)
        else:
            copy[keyword] = held
    return copy


def json_types(schema: Schema) -> tuple[str, ...]:
    """The names in `type`, whether it is one name or a list of them."""
    declared = schema.get("type")
    if isinstance(declared, str):
        return (declared,)
    return tuple(declared) if isinstance(declared, list) else ()


def is_open_object(schema: Schema) -> bool:
    """Whether it is an object that declares no properties: a free-form dict."""
    return "object" in json_types(schema) and "properties" not in schema and "$ref" not in schema


def open_object_path(schema: Schema, path: str) -> str | None:
    """The path of the first free-form object in `schema`, which itself stands at `path`."""
    if is_open_object(schema):
        return path
    for inner in subschemas(schema):
        found = open_object_path(inner.schema, path + inner.step)
        if found is not None:
            return found
    return None
