"""Owns the copy of a parameters schema that Anthropic takes for a strict tool, and why there may be none.

Rules that Anthropic refuses move into the description of the value that they are about, so that the model
still reads them. Must not know of tools or requests; the limits here are those of one schema in a request of
its own.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator
from typing import Any

from pegboard.dialects.dendrux_nodes import Schema, json_types, open_object_path, rebuilt, subschemas

MAX_OPTIONAL = 24
"""How many optional properties the strict schemas of one request may hold."""

MAX_UNIONS = 16
"""How many values of several types the strict schemas of one request may hold."""

_FORMATS = frozenset(
    ("date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uuid")
)

_SENTENCES = {
    "minimum": "Must be >= {}.",
    "maximum": "Must be <= {}.",
    "exclusiveMinimum": "Must be > {}.",
    "exclusiveMaximum": "Must be < {}.",
    "multipleOf": "Must be a multiple of {}.",
    "minItems": "Must have at least {} items.",
    "maxItems": "Must have at most {} items.",
    "uniqueItems": "Items must be unique.",
    "contains": None,
    "minContains": None,
    "maxContains": None,
    "minProperties": "Must have at least {} properties.",
    "maxProperties": "Must have at most {} properties.",
    "propertyNames": None,
    "patternProperties": None,
    "dependentRequired": None,
    "dependentSchemas": None,
    "dependencies": None,
    "unevaluatedProperties": None,
    "not": None,
    "format": None,
    "pattern": "Must match the regex pattern {}.",
    "discriminator": None,
}
"""The refused rules in the order in which they are told; `None` is told as the keyword and its value."""

_TYPED = frozenset(("$ref", "allOf", "anyOf", "const", "enum", "oneOf", "properties", "type"))
"""A schema with none of these says nothing about its value's type."""

_DEFINITIONS = ("definitions", "$defs")
_REFERENCE = re.compile(r"#/(?:\$defs|definitions)/(.+)")

_PATTERN_PARTS = re.compile(
    r"""
    \\(?P<escape>.)                               # one escaped character
    | (?P<class>\[\^?\]?(?:\\.|[^\]\\])*\])       # a character class
    | (?P<extension>\(\?(?!:))                    # a group that is more than a group
    | (?P<any>\.)
    | (?P<range>\{\d+(?:,\d*)?\})
    """,
    re.VERBOSE | re.DOTALL,
)


def anthropic_copy(schema: Schema) -> tuple[Schema, str | None]:
    """A copy of `schema` for a strict tool, and why it cannot be sent as strict (`None`: it can)."""
    copy = _rewritten(schema)
    return copy, _open(schema) or _unfit(copy) or _excess(copy)


def _rewritten(schema: Schema) -> Schema:
    """`schema` without the refused rules, its objects closed and `oneOf` written as `anyOf`."""
    if "oneOf" in schema and "anyOf" not in schema:
        schema = {("anyOf" if keyword == "oneOf" else keyword): held for keyword, held in schema.items()}
    refused = [keyword for keyword in _SENTENCES if keyword in schema and _refused(keyword, schema[keyword])]
    sentences = [text for keyword in refused if (text := _sentence(keyword, schema[keyword]))]
    copy = rebuilt({keyword: held for keyword, held in schema.items() if keyword not in refused}, _rewritten)
    if sentences:
        own = f"{copy['description']}\n\n" if copy.get("description") else ""
        copy["description"] = own + " ".join(sentences)
    if "additionalProperties" in copy:
        # What is not declared keeps the tool from being strict, so its rules stay as they are.
        copy["additionalProperties"] = schema["additionalProperties"]
    if "properties" in copy:
        copy["additionalProperties"] = False
    items = copy.get("items")
    if isinstance(items, dict) and not _TYPED & items.keys():
        del copy["items"]
    return copy


def _refused(keyword: str, value: Any) -> bool:
    if keyword == "minItems":
        return value not in (0, 1)
    if keyword == "format":
        return value not in _FORMATS
    if keyword == "pattern":
        return not (isinstance(value, str) and _plain_pattern(value))
    return True


def _sentence(keyword: str, value: Any) -> str | None:
    """What a refused rule says in words; `None` where it says nothing."""
    if keyword == "discriminator" or (keyword == "uniqueItems" and value is not True):
        return None
    if keyword == "format":
        return f"Format: {value}."
    sentence = _SENTENCES[keyword]
    if sentence is None or (isinstance(value, bool) and keyword != "uniqueItems"):
        return f"Constraint {keyword}: {json.dumps(value)}."
    return sentence.format(json.dumps(value))


def _plain_pattern(pattern: str) -> bool:
    """Whether the pattern is within the grammar that strict mode is known to compile.

    It knows plain groups and the usual classes, and does not take a counted repetition beside a negated
    element.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except re.error:
        return False
    counted = negated = False
    for part in _PATTERN_PARTS.finditer(pattern):
        escapes = [part["escape"]] if part["escape"] else re.findall(r"\\(.)", part["class"] or "", re.DOTALL)
        if part["extension"] or any(letter.isalnum() and letter not in "dwsDWSntr" for letter in escapes):
            return False
        negated |= bool(part["any"] or (part["class"] or "").startswith("[^") or set("DWS") & set(escapes))
        counted |= bool(part["range"])
    return not (counted and negated)


def _nodes(schema: Schema, path: str = "schema", owner: str = "") -> Iterator[tuple[str, Schema, str]]:
    """Every schema in `schema`, with its path and the name of the definition around it (empty: none)."""
    yield path, schema, owner
    for inner in subschemas(schema):
        own = inner.name if inner.keyword in _DEFINITIONS else owner
        yield from _nodes(inner.schema, path + inner.step, own)


def _open(schema: Schema) -> str | None:
    """The first object that takes properties which it does not declare."""
    path = open_object_path(schema, "schema")
    if path is not None:
        return f"{path} is a free-form object"
    for path, node, _ in _nodes(schema):
        if node.get("additionalProperties", False) is not False:
            return f"{path} allows additional properties"
    return None


def _unfit(copy: Schema) -> str | None:
    """The first thing that strict mode has no form for: no type, tuples, structured constants, recursion."""
    definitions = _definitions(copy)
    references: dict[str, set[str]] = {}
    for path, node, owner in _nodes(copy):
        if not _TYPED & node.keys():
            return f"{path} has no type"
        if "prefixItems" in node:
            return f"{path} is a tuple (prefixItems)"
        if "oneOf" in node:
            return f"{path} combines oneOf with anyOf"
        if any(isinstance(value, dict | list) for value in node.get("enum") or ()):
            return f"{path} is an enum of objects or arrays"
        if isinstance(node.get("const"), dict | list):
            return f"{path} is a const object or array"
        if "$ref" in node:
            if node["$ref"] == "#":
                return f"{path} is recursive (refers to the root)"
            name = _definition_name(node["$ref"])
            if name not in definitions:
                return f"{path} has an unresolvable $ref {node['$ref']!r}"
            references.setdefault(owner, set()).add(name)
    recursive = next(
        (name for name in sorted(references) if name and _leads_to(name, name, references)), None
    )
    return None if recursive is None else f"schema is recursive ($defs.{recursive})"


def _excess(copy: Schema) -> str | None:
    """Which of the counted things there are too many of; a definition counts once if it is used at all."""
    definitions = _definitions(copy)
    root = {keyword: held for keyword, held in copy.items() if keyword not in _DEFINITIONS}
    pending, used = [root], set[str]()
    optional = unions = 0
    while pending:
        for _, node, _ in _nodes(pending.pop()):
            required = node.get("required") or ()
            optional += sum(name not in required for name in node.get("properties", ()))
            unions += len(node.get("anyOf") or ()) > 1 or len(json_types(node)) > 1
            name = _definition_name(node.get("$ref"))
            if name in definitions and name not in used:
                used.add(name)
                pending.append(definitions[name])
    if optional > MAX_OPTIONAL:
        return f"{optional} optional parameters (limit {MAX_OPTIONAL})"
    if unions > MAX_UNIONS:
        return f"{unions} union-typed parameters (limit {MAX_UNIONS})"
    return None


def _definitions(schema: Schema) -> dict[str, Schema]:
    return {name: held for keyword in _DEFINITIONS for name, held in (schema.get(keyword) or {}).items()}


def _definition_name(reference: object) -> str:
    """The name in a reference to a definition of the schema's own; empty for any other reference."""
    match = _REFERENCE.fullmatch(reference) if isinstance(reference, str) else None
    return match[1] if match else ""


def _leads_to(start: str, goal: str, references: dict[str, set[str]]) -> bool:
    """Whether following references from the definition `start` arrives at `goal`."""
    pending, seen = list(references.get(start, ())), set[str]()
    while pending:
        name = pending.pop()
        if name == goal:
            return True
        if name not in seen:
            seen.add(name)
            pending.extend(references.get(name, ()))
    return False
