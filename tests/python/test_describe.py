"""Describing: from signature and docstring to schema and validator."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from conftest import Loaded, load_folder


@pytest.fixture(scope="module")
def described() -> Loaded:
    return load_folder("described")


def by_file(loaded: Loaded, file: str) -> dict[str, Any]:
    return {
        tool.name: tool for tool in loaded.bound if tool.definition["source"]["path"].endswith(f"/{file}.py")
    }


def test_future_annotations_change_nothing(described):
    future, now = by_file(described, "future"), by_file(described, "now")
    assert list(future) == list(now) == ["run", "many", "inner"]
    for name in future:
        for part in ("parameters_schema", "output_schema", "description"):
            assert json.dumps(future[name].definition[part]) == json.dumps(now[name].definition[part])


def test_an_unresolved_return_type_costs_the_output_schema(described):
    assert by_file(described, "future")["run"].definition["output_schema"] is None
    assert described.schema("run")["required"] == ["job"]
    warnings = [each for each in described.diagnostics if each["code"] == "return_unresolved"]
    assert [each["severity"] for each in warnings] == ["warning", "warning"]
    assert "'Decimal'" in warnings[0]["message"]
    assert warnings[0]["line"] == 24


def test_an_unresolved_parameter_costs_the_tool(described):
    lost = [each for each in described.diagnostics if each["code"] == "parameter_unresolved"]
    assert [each["tools"] for each in lost] == [["lost"], ["lost"]]
    assert {each["severity"] for each in lost} == {"error"}
    assert "'price'" in lost[0]["message"]
    assert "'Decimal'" in lost[0]["message"]
    assert lost[0]["line"] == 29


def test_descriptions_constraints_and_depth(described):
    schema = by_file(described, "future")["many"].definition["parameters_schema"]
    assert schema["required"] == ["mode", "node"]
    assert schema["properties"]["n"] == {
        "default": 1,
        "description": "how many",
        "minimum": 1,
        "type": "integer",
    }
    assert schema["properties"]["xs"]["items"] == {"description": "one item", "type": "string"}
    assert "context" not in schema["properties"]


def test_recursive_models_keep_their_reference(described):
    schema = by_file(described, "future")["many"].definition["parameters_schema"]
    assert schema["$defs"]["Node"]["properties"]["kids"]["items"] == {"$ref": "#/$defs/Node"}


def test_enum_and_model_parameters(described):
    schema = described.schema("paint")
    assert schema["properties"]["c"] == {"$ref": "#/$defs/Color", "description": "what to paint with"}
    assert schema["$defs"]["Color"] == {"enum": ["red", "blue"], "type": "string"}
    assert schema["$defs"]["Point"]["properties"]["x"] == {"description": "to the right", "type": "integer"}
    assert described.call("paint", {"c": "red", "pts": [{"x": 1}]}) == "red 1"


def test_an_alias_is_the_name_in_the_schema(described):
    assert list(described.schema("alias")["properties"]) == ["externalX"]
    assert described.call("alias", {"externalX": 3}) == 3
    (told,) = [each for each in described.report["tools"] if each["definition"]["name"] == "alias"]
    assert told["policy"]["aliases"] == [["x", "externalX"]]


def test_keywords_arrive_as_keywords(described):
    assert described.schema("keywords")["additionalProperties"] == {"type": "string"}
    assert described.call("keywords", {"a": 1, "y": "2"}) == {"a": 1, "extra": {"y": "2"}}
    assert described.problems("keywords", {"a": 1, "y": 2}) == [("/y", "string_type")]
    assert described.schema("open_keywords").get("additionalProperties", True) is True
    assert described.call("open_keywords", {"b": [1]}) == {"b": [1]}


def test_unpacked_typed_dictionary(described):
    schema = described.schema("unpacked")
    assert schema["properties"] == {
        "a": {"type": "integer"},
        "depth": {"type": "integer"},
        "label": {"type": "string"},
    }
    assert schema["required"] == ["a", "depth"]
    assert schema["additionalProperties"] is False
    assert "$defs" not in schema
    assert described.call("unpacked", {"a": 1, "depth": 2}) == {"a": 1, "options": {"depth": 2}}


def test_starred_arguments_are_delivered_by_position(described):
    assert described.schema("starred")["properties"]["args"]["items"] == {"type": "integer"}
    assert described.schema("starred")["required"] == ["first"]
    assert described.call("starred", {"first": 1}) == [1, 2, [], "k"]
    assert described.call("starred", {"first": 1, "args": [7, 8], "key": "x"}) == [1, 2, [7, 8], "x"]


def test_positional_only_parameters(described):
    assert described.schema("positional")["required"] == ["a"]
    assert described.call("positional", {"a": 1, "c": 3}) == [1, 5, 3]


def test_contexts_are_not_shown(described):
    assert list(described.schema("with_context")["properties"]) == ["a", "b"]
    assert described.tools["with_context"].context_parameter == "context"
    assert described.tools["optional_context"].context_parameter == "ctx"
    assert described.call("optional_context", {"a": 1}) == "NoneType"
    assert described.tools["paint"].context_parameter is None
    (finding,) = [each for each in described.diagnostics if each["tools"] == ["context_by_position"]]
    assert finding["code"] == "signature_rejected"
    assert "/" in finding["hint"]


def test_typed_dictionaries(described):
    schema = described.schema("row")["$defs"]["Row"]
    assert schema["required"] == ["key"]
    assert schema["properties"]["note"] == {"description": "free text", "type": "string"}
    assert described.call("row", {"row": {"key": "k"}}) == {"key": "k"}
    assert described.definition("row")["output_schema"]["properties"]["key"] == {"type": "string"}


def test_strings_in_the_fields_of_models_are_descriptions(described):
    properties = described.schema("deep")["$defs"]["Deep"]["properties"]
    assert properties["tags"]["items"] == {"description": "one tag", "type": "string"}
    assert properties["by_name"]["additionalProperties"]["anyOf"][0] == {
        "description": "a count",
        "type": "integer",
    }
    assert [part["description"] for part in properties["pair"]["prefixItems"]] == ["left", "right"]
    assert properties["otherName"]["description"] == "under another name"


def test_mutable_defaults_are_fresh(described):
    assert described.call("mutable", {"item": "a"}) == ["a"]
    assert described.call("mutable", {"item": "b"}) == ["b"]


def test_defaults_that_are_not_json_are_left_out(described):
    properties = described.schema("odd_defaults")["properties"]
    assert {name for name, schema in properties.items() if "default" in schema} == {"color", "point", "wrong"}
    assert properties["color"]["default"] == "blue"
    assert properties["point"]["default"] == {"x": 1, "y": 0}
    assert "required" not in described.schema("odd_defaults")
    assert described.call("odd_defaults") == [True, "blue", 1, "not validated"]
    assert "NaN" not in json.dumps(described.report)


def test_parameters_without_json_form(described):
    assert list(described.schema("callback")["properties"]) == ["a"]
    assert described.call("callback", {"a": 1}) == 1
    (kept,) = [each for each in described.diagnostics if "'done' always" in each["message"]]
    assert kept["severity"] == "warning"
    for name, parameter in (("required_callback", "done"), ("opaque_parameter", "given")):
        (finding,) = [each for each in described.diagnostics if each["tools"] == [name]]
        assert (finding["code"], finding["severity"]) == ("signature_rejected", "error")
        assert f"'{parameter}'" in finding["message"]
        assert name not in described.tools


def test_without_annotations_anything_goes(described):
    assert described.schema("unannotated")["properties"] == {"a": {}, "b": {"default": 3}}
    assert described.call("unannotated", {"a": [1]}) == [[1], 3]


def test_bytes_are_base64(described):
    assert described.schema("raw")["properties"]["data"] == {"type": "string", "contentEncoding": "base64"}
    assert described.call("raw", {"data": "+/8="}) == 2
    assert described.call("raw", {"data": "-_8="}) == 2
    assert described.problems("raw", {"data": "&"}) == [("/data", "bytes_invalid_encoding")]


def test_an_explicit_schema_is_the_hosts_to_check(described):
    tool = described.tools["explicit"]
    assert tool.validator is None
    assert tool.policy["validate_by_schema"] is True
    assert tool.definition["parameters_schema"]["required"] == ["q"]
    assert tool.context_parameter == "context"


def test_titles_made_from_names_are_left_out(described):
    assert '"title"' not in json.dumps([tool.definition["parameters_schema"] for tool in described.bound])


def test_a_default_given_by_field(load_text):
    loaded = load_text(
        """
from pydantic import Field
from pegboard import tool

@tool
def f(
    a: int = Field(5, description="from the field", ge=1),
    b: list[int] = Field(default_factory=list),
) -> list:
    '''F.

    Args:
        a: from the docstring
    '''
    return [a, b]
        """
    )
    assert loaded.schema("f")["properties"]["a"] == {
        "default": 5,
        "description": "from the field",
        "minimum": 1,
        "type": "integer",
    }
    assert loaded.call("f") == [5, []]


def test_infinite_values_do_not_reach_the_report(load_text):
    loaded = load_text(
        "from pegboard import tool\n@tool\ndef f(a: float = float('inf')) -> float: return a\n"
    )
    assert "default" not in loaded.schema("f")["properties"]["a"]
    assert math.isinf(loaded.call("f"))
