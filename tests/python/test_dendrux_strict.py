"""The strict form of a schema and its copy for Anthropic, beside what is recorded of dendrux itself."""

from __future__ import annotations

from typing import Any

import pytest

from pegboard.dialects.dendrux_anthropic import anthropic_copy
from pegboard.dialects.dendrux_nodes import open_object_path
from pegboard.dialects.dendrux_strict import strict_parameters


def root(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def test_what_strict_mode_takes_is_told() -> None:
    schema = root(
        m={"type": "object", "properties": {"a": {}}, "additionalProperties": {"type": "string"}},
        n={"type": "array", "items": {"type": "object", "properties": {}, "required": ["ghost"]}},
    )
    strict, losses = strict_parameters(schema, "act")
    assert strict["properties"]["m"] == {
        "type": "object",
        "properties": {"a": {}},
        "additionalProperties": False,
        "required": ["a"],
    }
    assert strict["properties"]["n"]["items"]["required"] == []
    assert losses == (
        "parameters.m is closed by strict=True: its additionalProperties rule is gone",
        "parameters.n[] requires 'ghost', which it does not declare: left out",
    )
    assert schema["properties"]["m"]["additionalProperties"] == {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"a": {"type": "object"}}, "parameters.a"),
        ({"a": {"type": "array", "items": {"type": ["object", "null"]}}}, "parameters.a[]"),
        ({"a": {"anyOf": [{"type": "string"}, {"type": "object"}]}}, "parameters.a.anyOf[1]"),
        ({"a": {"type": "array", "prefixItems": [{"type": "object"}]}}, "parameters.a.prefixItems[0]"),
        ({"a": {"default": {"type": "object"}, "enum": [{"type": "object"}]}}, None),
        ({"default": {"type": "object", "properties": {}}}, None),
    ],
)
def test_free_form_object_is_refused_with_its_path(schema: dict[str, Any], path: str | None) -> None:
    if path is None:
        assert open_object_path(root(**schema), "parameters") is None
        return
    with pytest.raises(TypeError) as caught:
        strict_parameters(root(**schema), "act")
    assert f"tool 'act' asks for strict=True, but {path} is a free-form object" in str(caught.value)


def test_refused_rules_become_sentences() -> None:
    schema = root(
        n={"type": "integer", "minimum": 1, "multipleOf": 5, "description": "How many"},
        s={"type": "string", "format": "email", "minLength": 1},
        f={"type": "string", "format": "color"},
        l={"type": "array", "items": {}, "minItems": 2, "uniqueItems": True},
        o={"oneOf": [{"type": "string"}, {"type": "null"}], "discriminator": {"propertyName": "k"}},
    )
    copy, problem = anthropic_copy(schema)
    assert problem is None
    assert copy["properties"] == {
        "n": {"type": "integer", "description": "How many\n\nMust be >= 1. Must be a multiple of 5."},
        "s": {"type": "string", "format": "email", "minLength": 1},
        "f": {"type": "string", "description": "Format: color."},
        "l": {"type": "array", "description": "Must have at least 2 items. Items must be unique."},
        "o": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    }


@pytest.mark.parametrize(
    ("pattern", "kept"),
    [
        ("^[a-z]+$", True),
        ("^(?:a|b){2,3}$", True),
        (r"^\d\.\w$", True),
        (r"[\]a]{2}", True),
        ("(?=a)b", False),
        (r"\bword", False),
        ("[^a]{2}", False),
        (".{1,3}", False),
        (r"[\W]{2}", False),
        ("[^a]+", True),
        ("(", False),
    ],
)
def test_only_plain_patterns_stay(pattern: str, kept: bool) -> None:
    copy, _ = anthropic_copy(root(s={"type": "string", "pattern": pattern}))
    assert ("pattern" in copy["properties"]["s"]) is kept
    assert ("description" in copy["properties"]["s"]) is not kept


DEFINED = {"$defs": {"A": root(next={"$ref": "#/$defs/B"}), "B": root(next={"$ref": "#/$defs/A"})}}


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        (root(a={"type": "object"}), "schema.a is a free-form object"),
        (
            root(a={"type": "object", "properties": {}, "additionalProperties": {}}),
            "allows additional properties",
        ),
        (root(a={"title": "A"}), "schema.a has no type"),
        (root(a={"type": "array", "prefixItems": []}), "schema.a is a tuple (prefixItems)"),
        (root(a={"enum": [[1]]}), "schema.a is an enum of objects or arrays"),
        (root(a={"const": {}}), "schema.a is a const object or array"),
        (root(a={"oneOf": [], "anyOf": []}), "schema.a combines oneOf with anyOf"),
        (root(a={"$ref": "#"}), "schema.a is recursive (refers to the root)"),
        (root(a={"$ref": "#/$defs/X"}), "schema.a has an unresolvable $ref '#/$defs/X'"),
        ({**root(a={"$ref": "#/$defs/A"}), **DEFINED}, "schema is recursive ($defs.A)"),
        (
            {**root(**{f"p{n}": {"type": "string"} for n in range(25)}), "required": []},
            "25 optional parameters",
        ),
        (root(**{f"p{n}": {"type": ["string", "null"]} for n in range(17)}), "17 union-typed parameters"),
    ],
)
def test_reason_why_a_tool_is_not_strict(schema: dict[str, Any], problem: str) -> None:
    _, reason = anthropic_copy(schema)
    assert reason is not None
    assert problem in reason


def test_a_definition_counts_once_and_only_if_it_is_used() -> None:
    part = {**root(**{f"p{n}": {"type": "string"} for n in range(20)}), "required": []}
    schema = {**root(a={"$ref": "#/$defs/A"}, b={"$ref": "#/$defs/A"}), "$defs": {"A": part, "B": part}}
    assert anthropic_copy(schema)[1] is None
