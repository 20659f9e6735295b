"""The judgement of a call's arguments by dendrux's rules, beside what is recorded of dendrux itself."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from pegboard.dialects.dendrux_arguments import DendruxArguments
from pegboard.dialects.dendrux_parameters import parameters_schema
from pegboard.runtime.problems import ArgumentsRefused, read


def arguments_of(function: Any, schema: dict[str, Any] | None = None) -> DendruxArguments:
    return DendruxArguments("act", schema or parameters_schema(function, "act"), function)


def refusal(arguments: DendruxArguments, text: str | bytes) -> ArgumentsRefused:
    data = text.encode() if isinstance(text, str) else text
    with pytest.raises(ArgumentsRefused) as caught:
        arguments.validate_json(data)
    return caught.value


def anything(**given: Any) -> None: ...


def test_every_problem_has_its_own_pointer() -> None:
    def act(a: int, b: str = "", c: float = 0) -> None: ...

    refused = refusal(arguments_of(act), '{"b": 1, "x/y~z": 2, "q": 3, "c": null}')
    assert str(refused) == (
        "act has no arguments 'x/y~z', 'q'; act is missing required argument(s): a; "
        "act argument 'b' must be string, got integer; act argument 'c' must be number, got null. "
        "Valid arguments: a, b, c."
    )
    assert [(problem["pointer"], problem["code"]) for problem in refused.problems] == [
        ("/x~1y~0z", "additionalProperties"),
        ("/q", "additionalProperties"),
        ("/a", "required"),
        ("/b", "type"),
        ("/c", "type"),
    ]


@pytest.mark.parametrize("text", ["{", "[1]", "5", b'"\xff"', "[" * 100_000, "9" * 5_000])
def test_what_is_no_json_object_is_never_repeated(text: str | bytes) -> None:
    refused = refusal(arguments_of(anything, {"type": "object"}), text)
    assert [problem["code"] for problem in refused.problems] == ["json_invalid"]
    raw = text if isinstance(text, str) else repr(text)
    assert len(raw) == 1 or raw not in str(refused)
    assert refused.__cause__ is None


def test_a_name_that_is_no_text_can_be_told() -> None:
    def act(a: int = 1) -> None: ...

    refused = refusal(arguments_of(act), '{"\\ud800": 1}')
    assert str(refused) == r"act has no argument '\ud800'. Valid arguments: a."
    assert refused.problems[0]["pointer"] == r"/\ud800"
    assert read(refused) is not None


@pytest.mark.parametrize("text", ["", "  \n", "null", "{}"])
def test_nothing_stands_for_no_arguments(text: str) -> None:
    def act(a: int = 1) -> None: ...

    assert arguments_of(act).validate_json(text.encode()) == ((), {})


def test_optional_without_a_default_is_none() -> None:
    def act(a: int | None, b: str) -> None: ...

    arguments = arguments_of(act)
    assert arguments.validate_json(b'{"b": "x"}') == ((), {"a": None, "b": "x"})
    # The long way round, by the rules, must not forget it.
    assert arguments.validate_json(b'{"b": "\\ud800"}') == ((), {"a": None, "b": "\ud800"})


def test_undeclared_default_of_an_explicit_schema_is_required() -> None:
    def act(a: Any, b: Any = 1) -> None: ...

    schema = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {}}}
    assert "missing required argument(s): a." in str(refusal(arguments_of(act, schema), "{}"))


def test_positional_only_parameters_are_placed() -> None:
    def act(a: int, b: int = 2, /, c: int = 3) -> tuple[int, int, int]:
        return a, b, c

    args, kwargs = arguments_of(act).validate_json(b'{"c": 5, "a": 1}')
    assert act(*args, **kwargs) == (1, 2, 5)


def test_limits_of_annotated_are_kept() -> None:
    def act(n: Annotated[int, Field(ge=1, le=10)], s: Annotated[str, Field(pattern="^a")] = "") -> None: ...

    arguments = arguments_of(act)
    assert arguments.validate_json(b'{"n": 10}') == ((), {"n": 10})
    refused = refusal(arguments, '{"n": 11, "s": "b"}')
    assert str(refused) == (
        "act argument 'n' must be <= 10, got 11; "
        'act argument \'s\' must be text that matches "^a", got "b".'
    )
    assert [problem["code"] for problem in refused.problems] == ["maximum", "pattern"]


@pytest.mark.parametrize(
    ("rule", "good", "bad"),
    [
        ({"exclusiveMinimum": 0}, 0.1, 0),
        ({"exclusiveMaximum": 0}, -1, 0),
        ({"multipleOf": 3}, 9, 10),
        ({"multipleOf": 0.1}, 0.3, 0.35),
        ({"minLength": 2}, "éé", "é"),
        ({"maxLength": 1}, "😀", "ab"),
        ({"minItems": 1}, [0], []),
        ({"maxItems": 1}, [0], [0, 0]),
        ({"minProperties": 1}, {"a": 0}, {}),
        ({"maxProperties": 0}, {}, {"a": 0}),
    ],
)
def test_limit(rule: dict[str, Any], good: Any, bad: Any) -> None:
    arguments = arguments_of(anything, {"type": "object", "properties": {"v": rule}})
    assert arguments.validate_json(json.dumps({"v": good}).encode()) == ((), {"v": good})
    assert refusal(arguments, json.dumps({"v": bad})).problems[0]["code"] in rule


@pytest.mark.parametrize("rule", [{"minimum": "3"}, {"pattern": "("}, {"multipleOf": 0}, {"maximum": True}])
def test_malformed_limit_is_no_rule(rule: dict[str, Any]) -> None:
    arguments = arguments_of(anything, {"type": "object", "properties": {"v": rule}})
    for value in (5, "x"):
        assert arguments.validate_json(json.dumps({"v": value}).encode()) == ((), {"v": value})


def test_long_values_are_not_repeated_whole() -> None:
    arguments = arguments_of(anything, {"type": "object", "properties": {"v": {"enum": ["a"]}}})
    refused = refusal(arguments, json.dumps({"v": "x" * 10_000}))
    assert len(str(refused)) < 300


def test_other_names_follow_the_schema_of_the_rest() -> None:
    def act(**more: int) -> None: ...

    arguments = arguments_of(act)
    assert arguments.validate_json(b'{"x": 2.0}') == ((), {"x": 2})
    assert str(refusal(arguments, '{"x": "y"}')) == "act argument 'x' must be integer, got string."


NAMES = ["string", "integer", "number", "boolean", "array", "object", "null"]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=4,
)
SCHEMAS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(NAMES)
        | st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True),
        "enum": st.lists(SCALARS | st.sampled_from([0, 1, 1.0, True, "a"]), max_size=3),
        "minimum": st.integers(-1, 1),
        "anyOf": st.just([{}]),
    },
)


@given(SCHEMAS, VALUES | st.sampled_from([0, 1, 1.0, 2.0, True, "a"]), st.booleans(), st.booleans())
def test_the_fast_path_answers_as_the_rules_do(
    schema: dict[str, Any], value: Any, required: bool, extra: bool
) -> None:
    root = {"type": "object", "properties": {"v": schema}, "additionalProperties": extra}
    root |= {"required": ["v"]} if required else {}
    arguments = arguments_of(anything, root)
    for given_arguments in ({"v": value}, {"v": value, "w": value}, {}):
        data = json.dumps(given_arguments).encode()
        fast = arguments._quickly(data)
        if fast is not None:
            assert repr(sorted(fast.items())) == repr(sorted(arguments._judged(data).items()))
