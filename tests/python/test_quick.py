"""The short way to a schema gives what pydantic gives: the same schemas, values and problems."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field
from pydantic_core import ValidationError

from pegboard.runtime import schema
from pegboard.runtime.numbers import EXACT
from pegboard.runtime.quick import quick
from pegboard.runtime.signature import EMPTY, Kind, Parameter


class LongWay(schema.ParametersJsonSchema):
    """The same generator under another name, for which there is no short way."""


TYPES = st.recursive(
    st.sampled_from([str, int, bool, float, bytes, dict, list, Any, Literal["a"], Literal["a", "b"]]),
    lambda inner: st.one_of(
        inner.map(lambda item: list[item]),
        inner.map(lambda item: dict[str, item]),
        inner.filter(lambda item: item is not Any).map(lambda item: item | None),
    ),
    max_leaves=3,
)
ANNOTATIONS = st.one_of(
    TYPES,
    TYPES.map(lambda item: Annotated[item, "text"]),
    TYPES.map(lambda item: Annotated[item, Field(description="field")]),
    TYPES.map(lambda item: Annotated[item, "text", Field(description="field")]),
)
DEFAULTS = st.sampled_from([EMPTY, EMPTY, None, 1, "x", 1.5, True, [], [1], {"a": None}])
KINDS = st.sampled_from([Kind.POSITIONAL_ONLY, Kind.POSITIONAL_OR_KEYWORD, Kind.KEYWORD_ONLY])
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(-1e25, 1e25)
    | st.sampled_from(["a", "5", "1.0", "YQ=="]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=4,
)


@st.composite
def signatures(draw: st.DrawFn) -> list[Parameter]:
    parameters = [
        Parameter(name, draw(KINDS), draw(ANNOTATIONS), draw(DEFAULTS))
        for name in "abc"[: draw(st.integers(0, 3))]
    ]
    parameters.sort(key=lambda parameter: parameter.kind)
    if draw(st.booleans()):
        parameters.append(Parameter("rest", Kind.VAR_KEYWORD, draw(ANNOTATIONS)))
    return parameters


def outcome(made: schema.ArgumentsSchema, arguments: str) -> Any:
    try:
        return made.validator.validate_json(arguments.encode())
    except ValidationError as error:
        return sorted((each["loc"], each["type"]) for each in error.errors() if EXACT not in each["loc"])


@given(signatures(), st.booleans(), st.dictionaries(st.sampled_from("abcd"), JSON, max_size=4))
def test_both_ways_agree(parameters, exact, arguments):
    options: dict[str, Any] = {"descriptions": {"a": "docstring"}, "exact_numbers": exact}
    short = schema.arguments(parameters, **options)
    long = schema.arguments(parameters, **options, generator=LongWay)
    assert json.dumps(short.json_schema) == json.dumps(long.json_schema)
    text = json.dumps(arguments)
    assert repr(outcome(short, text)) == repr(outcome(long, text))


@given(ANNOTATIONS)
def test_output_schemas_agree(annotation):
    assert json.dumps(schema.output(annotation)) == json.dumps(schema.output(annotation, generator=LongWay))


@pytest.mark.parametrize("exact", [True, False])
def test_common_types_take_the_short_way(exact):
    for annotation in (str, int | None, list[dict[str, float]], Annotated[int, Field(description="d")]):
        assert quick(annotation, exact_numbers=exact) is not None


@pytest.mark.parametrize(
    "annotation",
    [
        Annotated[int, Field(ge=1)],
        Annotated[int, Field(alias="b")],
        Annotated[int, Field(title="T")],
        int | str,
        Literal["a", 1],
        dict[int, str],
        set[int],
        complex,
        object,
    ],
)
def test_what_is_not_known_is_left_to_pydantic(annotation):
    assert quick(annotation, exact_numbers=True) is None


def test_mutable_defaults_are_fresh_on_the_short_way():
    made = schema.arguments([Parameter("a", Kind.KEYWORD_ONLY, list[int], [])])
    (_, first), (_, second) = made.validator.validate_json(b"{}"), made.validator.validate_json(b"{}")
    assert first["a"] == second["a"] == []
    assert first["a"] is not second["a"]
