"""Problems: where and what is wrong with arguments, without pydantic's own noise."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic_core import ValidationError

from pegboard.runtime.problems import from_validation_error

TOOL = """
from typing import Annotated, Literal
from pydantic import BaseModel, Field
from pegboard import tool

class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int

class Dog(BaseModel):
    kind: Literal["dog"]
    name: str

class Job(BaseModel):
    name: str
    steps: list[int] = []

@tool
def f(
    a: int,
    job: Job | None = None,
    by_key: dict[str, int] = {},
    pet: Annotated[Cat | Dog, Field(discriminator="kind")] | None = None,
    text: str = "",
    either: int | list[str] = 0,
) -> None: ...
"""


@pytest.fixture
def problems(load_text):
    loaded = load_text(TOOL)

    def find(arguments: Any) -> list[dict[str, Any]]:
        with pytest.raises(ValidationError) as raised:
            loaded.call("f", arguments)
        return json.loads(from_validation_error(raised.value))

    return find


@pytest.mark.parametrize(
    ("arguments", "pointer", "code"),
    [
        ({}, "/a", "missing_argument"),
        ({"a": 1, "b": 2}, "/b", "unexpected_keyword_argument"),
        ({"a": "x"}, "/a", "int_parsing"),
        ({"a": 1, "job": {}}, "/job/name", "missing"),
        ({"a": 1, "job": {"name": "n", "steps": [1, "x"]}}, "/job/steps/1", "int_parsing"),
        ({"a": 1, "by_key": {"a/b~c": "x"}}, "/by_key/a~1b~0c", "int_parsing"),
        ({"a": 1, "text": 5}, "/text", "string_type"),
        ({"a": 1, "pet": {"kind": "bird"}}, "/pet", "union_tag_invalid"),
    ],
)
def test_the_pointer_leads_to_the_place(problems, arguments, pointer, code):
    (problem,) = problems(arguments)
    assert (problem["pointer"], problem["code"]) == (pointer, code)


def test_all_problems_at_once(problems):
    assert [each["pointer"] for each in problems({"a": "x", "text": 1, "z": 1})] == ["/a", "/text", "/z"]


def test_branches_of_a_union_share_the_place(problems):
    found = problems({"a": 1, "either": True})
    assert [(each["pointer"], each["code"]) for each in found] == [
        ("/either", "int_type"),
        ("/either", "list_type"),
    ]


def test_text_that_is_not_json(problems):
    (problem,) = problems("not json")
    assert (problem["pointer"], problem["code"]) == ("", "json_invalid")


def test_messages_are_for_a_model(problems):
    (problem,) = problems({"a": "abc"})
    assert problem["message"].endswith('; got "abc".')
    assert "http" not in problem["message"]
    assert problems({})[0]["message"] == "This parameter is required."
    assert problems({"a": 1, "q": 1})[0]["message"] == "There is no such parameter."


def test_long_and_structured_values_are_not_repeated(problems):
    assert "got" not in problems({"a": "x" * 1000})[0]["message"]
    assert "secret" not in problems({"a": {"secret": 1}})[0]["message"]


def test_halves_of_surrogates_do_not_break_the_report(problems):
    assert problems('{"a": "\\ud83d"}')[0]["code"] in ("int_parsing", "json_invalid")
