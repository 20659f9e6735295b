"""Owns the parameter schemas of dreadnode and rigging tools: with pydantic's titles, without references.

Must not know frameworks or options. Parameters that the runtime supplies are left out.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from pegboard.dialects.dreadnode_objects import ToolView
from pegboard.runtime import schema, signature
from pegboard.runtime.signature import Signature, underlying

_REFERENCE = "#/$defs/"
_DATA = frozenset({"default", "enum", "const", "examples"})
"""Keywords whose values are data, whatever they look like."""
_BY_NAME = frozenset({"properties", "patternProperties"})
"""Keywords whose values are schemas by name."""


class TitledJsonSchema(schema.ParametersJsonSchema):
    """pydantic's schema with its titles and its form of bytes, but with every description and default."""

    titles = True

    def bytes_schema(self, schema: core_schema.BytesSchema) -> JsonSchemaValue:
        """Bytes are text, as pydantic has it by default."""
        return GenerateJsonSchema.bytes_schema(self, schema)


def describe(tool: ToolView, read: Signature) -> schema.ArgumentsSchema:
    """The schema and validator of the parameters that a model gives.

    Raises `SchemaRejected` for a parameter that has no JSON form.
    """
    shown = [parameter for parameter in read.parameters if parameter.name not in tool.hidden]
    made = schema.arguments(
        shown,
        module=getattr(underlying(tool.declared), "__module__", ""),
        title=f"call[{tool.name}]",
        bytes_encoding="utf8",
        generator=TitledJsonSchema,
    )
    return dataclasses.replace(made, json_schema=dereferenced(made.json_schema))


def parameters_schema(tool: ToolView) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments, for whoever asks the tool itself."""
    return describe(tool, signature.read(tool.declared)).json_schema


def dereferenced(root: dict[str, Any]) -> dict[str, Any]:
    """The schema with each reference replaced by what it refers to, and the keywords beside it kept.

    Only what contains itself stays under `$defs`.
    """
    definitions: dict[str, Any] = root.get("$defs", {})
    if not definitions:
        return root
    inliner = _Inliner(definitions)
    flat = inliner.schema({key: value for key, value in root.items() if key != "$defs"})
    kept = inliner.kept_definitions()
    return {"$defs": kept, **flat} if kept else flat


class _Inliner:
    """One walk over a schema; remembers which definitions have to stay."""

    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self._definitions = definitions
        self._recursive = frozenset(name for name in definitions if name in _reachable(name, definitions))
        self._kept: set[str] = set()

    def schema(self, node: Any) -> Any:
        if isinstance(node, list):
            return [self.schema(item) for item in node]
        if not isinstance(node, dict):
            return node
        name = _target(node)
        beside = {key: self._keyword(key, value) for key, value in node.items() if key != "$ref" or not name}
        if name is None or name not in self._definitions:
            return beside
        if name in self._recursive:
            self._kept.add(name)
            return {"$ref": node["$ref"], **beside}
        return {**self.schema(self._definitions[name]), **beside}

    def kept_definitions(self) -> dict[str, Any]:
        done: dict[str, Any] = {}
        while missing := sorted(self._kept - done.keys()):
            done.update((name, self.schema(self._definitions[name])) for name in missing)
        return dict(sorted(done.items()))

    def _keyword(self, key: str, value: Any) -> Any:
        if key in _DATA:
            return value
        if key in _BY_NAME and isinstance(value, dict):
            return {name: self.schema(inner) for name, inner in value.items()}
        if key == "discriminator" and isinstance(value, dict):
            # Its mapping points at definitions that are gone; the branches say the same by their constants.
            return {name: inner for name, inner in value.items() if name != "mapping"}
        return self.schema(value)


def _target(node: Mapping[str, Any]) -> str | None:
    reference = node.get("$ref")
    if isinstance(reference, str) and reference.startswith(_REFERENCE):
        return reference.removeprefix(_REFERENCE)
    return None


def _reachable(start: str, definitions: Mapping[str, Any]) -> set[str]:
    seen: set[str] = set()
    pending = list(_references(definitions[start]))
    while pending:
        name = pending.pop()
        if name not in seen:
            seen.add(name)
            pending.extend(_references(definitions.get(name)))
    return seen


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        for item in node:
            yield from _references(item)
    elif isinstance(node, dict):
        target = _target(node)
        if target is not None:
            yield target
        for key, value in node.items():
            if key in _BY_NAME and isinstance(value, dict):
                for inner in value.values():
                    yield from _references(inner)
            elif key not in _DATA:
                yield from _references(value)
