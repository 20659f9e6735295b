"""What holds of every export, over generated schemas and signatures: accepted, and never asking for more."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from provider_rules import TOOL_NAME, Schema, broken, inside

from pegboard import Call, Host

PROVIDERS = ("openai", "openai-responses", "anthropic", "gemini", "bedrock", "mcp")
SLOW = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


class Kind(NamedTuple):
    """A type as a schema, or as the text of an annotation, and the values that fit."""

    form: Any
    values: st.SearchStrategy[Any]


class Sent(NamedTuple):
    """One tool as a provider gets it."""

    name: str
    parameters: Schema
    strict: bool


def sent(provider: str, tools: list[dict[str, Any]]) -> list[Sent]:
    empty = {"type": "object", "properties": {}}
    if provider == "gemini":
        tools = [each for group in tools for each in group["functionDeclarations"]]
        return [Sent(tool["name"], tool.get("parameters", empty), False) for tool in tools]
    found = []
    for tool in tools:
        tool = tool.get("function") or tool.get("toolSpec") or tool
        schema = tool.get("parameters") or tool.get("input_schema") or tool["inputSchema"]
        found.append(Sent(tool["name"], schema.get("json", schema), tool.get("strict") is True))
    return found


def plain(schema: Any) -> Any:
    """A schema in which Gemini's `nullable` is said as JSON Schema says it."""
    if isinstance(schema, list):
        return [plain(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    written = {key: plain(value) for key, value in schema.items() if key != "nullable" or value is not True}
    return {"anyOf": [written, {"type": "null"}]} if schema.get("nullable") is True else written


def lenient(schema: Any) -> Any:
    """A strict schema without the demand that all is given: null stands for what is not."""
    if isinstance(schema, list):
        return [lenient(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if key != "required" or not isinstance(value, list)}
    return {key: lenient(value) for key, value in kept.items()}


# Schemas

TEXT = st.text("abcxyz", max_size=4)
LEAVES = [
    Kind({"type": "integer", "minimum": 0, "exclusiveMaximum": 9}, st.integers(0, 8)),
    Kind({"type": "integer", "multipleOf": 5}, st.integers(-4, 4).map(lambda number: number * 5)),
    Kind({"type": "number", "exclusiveMinimum": 0}, st.integers(1, 9)),
    Kind({"type": "string", "minLength": 0, "maxLength": 4, "pattern": "^[a-z]*$"}, TEXT),
    Kind({"type": "string", "format": "uri"}, st.just("https://example.com/")),
    Kind({"type": "string", "format": "date"}, st.just("2026-01-31")),
    Kind({"type": ["string", "null"]}, st.none() | TEXT),
    Kind({"enum": ["a", "b"]}, st.sampled_from("ab")),
    Kind({"enum": ["a", 1, None]}, st.sampled_from(["a", 1, None])),
    Kind({"const": 7}, st.just(7)),
    Kind({"type": "boolean", "deprecated": True}, st.booleans()),
    Kind({"type": "null"}, st.none()),
    Kind({}, st.none() | st.booleans() | st.integers(-9, 9) | TEXT),
    Kind({"type": "array"}, st.lists(st.integers(0, 9), max_size=3)),
    Kind({"$ref": "#/$defs/Named", "description": "a named one"}, st.sampled_from(["red", "blue"])),
    Kind({"$ref": "#/$defs/Node"}, st.just({"kids": [{"kids": []}]})),
]
DEFINITIONS = {
    "Named": {"type": "string", "enum": ["red", "blue"], "title": "Named"},
    "Node": {
        "type": "object",
        "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/Node"}}},
        "title": "Node",
    },
}
NAMES = ("alpha", "beta_2", "Gamma", "de-lta")


def objects(kinds: st.SearchStrategy[Kind], names: tuple[str, ...] = NAMES) -> st.SearchStrategy[Kind]:
    """Objects with some properties of these kinds, some required, open or not."""

    def make(fields: list[tuple[Kind, bool]], extra: Schema) -> Kind:
        named = dict(zip(names, fields, strict=False))
        required = {name: kind.values for name, (kind, needed) in named.items() if needed}
        optional = {name: kind.values for name, (kind, needed) in named.items() if not needed}
        schema = {"type": "object", "properties": {name: kind.form for name, (kind, _) in named.items()}}
        if required:
            schema["required"] = list(required)
        return Kind(schema | extra, st.fixed_dictionaries(required, optional=optional))

    fields = st.lists(st.tuples(kinds, st.booleans()), max_size=3)
    extras = st.sampled_from(
        [
            {},
            {"additionalProperties": False},
            {"additionalProperties": {"type": "integer"}},
            {"minProperties": 0},
        ]
    )
    return st.builds(make, fields, extras)


def wider(kinds: st.SearchStrategy[Kind]) -> st.SearchStrategy[Kind]:
    """Kinds that are made of others."""

    def listed(kind: Kind) -> Kind:
        schema = {"type": "array", "items": kind.form, "maxItems": 3, "uniqueItems": False}
        return Kind(schema, st.lists(kind.values, max_size=3))

    def tuple_of(parts: list[Kind]) -> Kind:
        schema = {"type": "array", "prefixItems": [part.form for part in parts], "items": False}
        return Kind(schema, st.tuples(*(part.values for part in parts)).map(list))

    def either(parts: list[Kind], keyword: str) -> Kind:
        return Kind({keyword: [part.form for part in parts]}, st.one_of(part.values for part in parts))

    def both(left: Kind, right: Kind) -> Kind:
        values = st.tuples(left.values, right.values).map(lambda pair: pair[0] | pair[1])
        return Kind({"allOf": [left.form, right.form]}, values)

    several = st.lists(kinds, min_size=1, max_size=3)
    return st.one_of(
        kinds.map(listed),
        several.map(tuple_of),
        st.builds(either, several, st.sampled_from(["anyOf", "oneOf"])),
        objects(kinds),
        st.builds(both, objects(kinds, ("left", "l2", "l3")), objects(kinds, ("right", "r2", "r3"))),
    )


KINDS = st.recursive(st.sampled_from(LEAVES), wider, max_leaves=6)


def host_of(schemas: list[Schema]) -> Host:
    """A host whose tools have these parameters."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "generated.py"
        lines = ["import json", "from pegboard import tool", "def answer(**given): return 'ok'"]
        for number, schema in enumerate(schemas):
            text = json.dumps(schema)
            lines.append(f"t{number} = tool(name='t.{number}', parameters=json.loads({text!r}))(answer)")
        file.write_text("\n".join(lines), encoding="utf-8")
        return Host(file)


@SLOW
@given(st.lists(objects(KINDS), min_size=1, max_size=4), st.data())
def test_a_schema_becomes_one_that_is_accepted_and_asks_for_less(
    kinds: list[Kind], data: st.DataObject
) -> None:
    schemas = [kind.form | {"$defs": DEFINITIONS} for kind in kinds]
    values = [data.draw(st.lists(kind.values, max_size=3)) for kind in kinds]
    with host_of(schemas) as host, host_of(schemas) as other:
        assert len(host.tools) == len(schemas), host.diagnostics
        for provider in PROVIDERS:
            for strict in (False, "where_possible"):
                export = host.export(provider, strict=strict)
                again = other.export(provider, strict=strict)
                assert json.dumps(again.tools) == json.dumps(export.tools)
                assert list(map(repr, again.notes)) == list(map(repr, export.notes))
                check(provider, export, schemas, values)


def check(provider: str, export: Any, schemas: list[Schema], values: list[list[Any]]) -> None:
    left_out = {each.tool for each in export.notes if each.change == "left_out"}
    renamed = {each.tool for each in export.notes if each.change == "renamed" and each.pointer}
    kept = [number for number in range(len(schemas)) if f"t.{number}" not in left_out]
    tools = sent(provider, export.tools)
    assert len(tools) == len(kept)
    for number, tool in zip(kept, tools, strict=True):
        note(f"{provider}: {schemas[number]} becomes {tool}")
        assert provider == "mcp" or TOOL_NAME.fullmatch(tool.name)
        assert broken(provider, tool.parameters, strict=tool.strict) == []
        references = {each["$ref"] for each in inside(tool.parameters) if "$ref" in each}
        assert references <= {"#/$defs/Node"}
        original = Draft202012Validator(schemas[number])
        written = Draft202012Validator(lenient(tool.parameters) if tool.strict else plain(tool.parameters))
        for value in values[number]:
            if f"t.{number}" in renamed or not original.is_valid(value):
                continue
            given = dict.fromkeys(tool.parameters["properties"]) | value if tool.strict else value
            assert list(written.iter_errors(given)) == []


@SLOW
@given(st.lists(objects(KINDS), min_size=1, max_size=4))
def test_what_was_exported_once_is_exported_the_same_again(kinds: list[Kind]) -> None:
    with host_of([kind.form | {"$defs": DEFINITIONS} for kind in kinds]) as host:
        for provider in PROVIDERS:
            for strict in (False, "where_possible"):
                once = sent(provider, host.export(provider, strict=strict).tools)
                for wanted in (False, True):
                    schemas = [tool.parameters for tool in once if tool.strict is wanted]
                    with host_of(schemas) as again:
                        export = again.export(provider, strict=wanted)
                    twice = [tool.parameters for tool in sent(provider, export.tools)]
                    assert json.dumps(twice) == json.dumps(schemas)


# Signatures

HEAD = """
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal, TypedDict
from pydantic import AnyUrl, BaseModel, Field
from pegboard import tool

class Color(Enum):
    RED = "red"
    BLUE = "blue"

class Point(BaseModel):
    x: int
    label: str | None = None

class Node(BaseModel):
    kids: list["Node"] = []

class Options(TypedDict):
    depth: int

@dataclass
class Job:
    name: str
    retries: int = 3
"""
COLORS = st.sampled_from(["red", "blue"])
POINTS = st.fixed_dictionaries({"x": st.integers(-9, 9)}, optional={"label": st.none() | TEXT})
ANNOTATIONS = [
    Kind("int", st.integers(-9, 9)),
    Kind("Annotated[int, Field(gt=0, multiple_of=5)]", st.sampled_from([5, 10])),
    Kind("Annotated[str, 'what to look for']", TEXT),
    Kind("Annotated[list[str], Field(min_length=1, max_length=3)]", st.lists(TEXT, min_size=1, max_size=3)),
    Kind("float", st.sampled_from([0.5, 2])),
    Kind("bool", st.booleans()),
    Kind("date", st.just("2026-01-31")),
    Kind("AnyUrl", st.just("https://example.com/")),
    Kind("Literal['a', 'b']", st.sampled_from("ab")),
    Kind("Literal['a', 1]", st.sampled_from(["a", 1])),
    Kind("Color", COLORS),
    Kind("Annotated[Color, 'what to paint with']", COLORS),
    Kind("Point", POINTS),
    Kind("list[Point]", st.lists(POINTS, max_size=2)),
    Kind("Node", st.sampled_from([{}, {"kids": [{}, {"kids": []}]}])),
    Kind("Options", st.fixed_dictionaries({"depth": st.integers(0, 9)})),
    Kind("Job", st.fixed_dictionaries({"name": TEXT}, optional={"retries": st.integers(0, 9)})),
    Kind("tuple[int, str]", st.tuples(st.integers(0, 9), TEXT).map(list)),
    Kind("dict[str, int]", st.dictionaries(TEXT, st.integers(0, 9), max_size=2)),
    Kind("Point | Color | None", st.one_of(POINTS, COLORS, st.none())),
    Kind("Any", st.none() | TEXT | st.lists(TEXT, max_size=2)),
]
PARAMETERS = st.lists(st.tuples(st.sampled_from(ANNOTATIONS), st.booleans()), max_size=4)


def read_call(provider: str, name: str, arguments: dict[str, Any]) -> Call:
    """The call as it comes back from the provider's model."""
    if provider == "gemini":
        (call,) = Call.from_gemini({"functionCall": {"name": name, "args": arguments}})
    elif provider == "bedrock":
        (call,) = Call.from_bedrock({"toolUse": {"toolUseId": "c", "name": name, "input": arguments}})
    elif provider == "anthropic":
        (call,) = Call.from_anthropic({"type": "tool_use", "id": "c", "name": name, "input": arguments})
    else:
        function = {"name": name, "arguments": json.dumps(arguments)}
        (call,) = Call.from_openai({"id": "c", "function": function})
    return call


@SLOW
@given(PARAMETERS, st.data())
def test_calls_that_fit_the_export_run(parameters: list[tuple[Kind, bool]], data: st.DataObject) -> None:
    names = [f"p{number}" for number in range(len(parameters))]
    needed = {name: kind for name, (kind, required) in zip(names, parameters, strict=True) if required}
    texts = [f"{name}: {kind.form}" for name, kind in needed.items()]
    optional = {name: kind for name, (kind, _) in zip(names, parameters, strict=True) if name not in needed}
    texts += [f"{name}: {kind.form} | None = None" for name, kind in optional.items()]
    arguments = data.draw(
        st.fixed_dictionaries(
            {name: kind.values for name, kind in needed.items()},
            optional={name: kind.values for name, kind in optional.items()},
        )
    )
    note(f"def probe({', '.join(texts)}) called with {arguments}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "signature.py"
        source = f"{HEAD}\n@tool(name='probe it')\ndef probe({', '.join(texts)}) -> str:\n    return 'ran'\n"
        file.write_text(source, encoding="utf-8")
        with Host(file) as host:
            for provider in PROVIDERS:
                for strict in (False, "where_possible"):
                    (tool,) = sent(provider, host.export(provider, strict=strict).tools)
                    assert broken(provider, tool.parameters, strict=tool.strict) == []
                    given = dict.fromkeys(names) | arguments if tool.strict else arguments
                    schema = lenient(tool.parameters) if tool.strict else plain(tool.parameters)
                    assert list(Draft202012Validator(schema).iter_errors(given)) == []
                    outcome = host.call(read_call(provider, tool.name, given))
                    assert (outcome.text, outcome.tool) == ("ran", "probe it")
