"""Which schema a type has for a dendrux tool, and why a type has none; beside the recorded answers."""

from __future__ import annotations

import dataclasses
import enum
from typing import Annotated, Any, Literal, NotRequired, Required

import pytest
from pydantic import BaseModel, Field
from typing_extensions import ReadOnly, TypedDict

from pegboard.dialects.dendrux_parameters import argument_texts, parameters_schema
from pegboard.dialects.dendrux_schema import UnsupportedError, schema_of


class Hue(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Parcel(BaseModel):
    weight: float
    hue: Hue = Hue.RED


@dataclasses.dataclass
class Spot:
    x: int
    hue: Hue = Hue.BLUE
    ratio: float = float("nan")


class Row(TypedDict, total=False):
    a: Required[int]
    b: ReadOnly[str]
    c: Annotated[NotRequired[int], Field(description="words", ge=1)]


class Empty(enum.Enum):
    pass


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (list, {"type": "array"}),
        (dict[str, Any], {"type": "object"}),
        (list[int | None], {"type": "array", "items": {"type": ["integer", "null"]}}),
        (Literal[1, 2.5], {"type": "number", "enum": [1, 2.5]}),
        (Literal["a"] | None, {"type": ["string", "null"], "enum": ["a", None]}),
        (Hue | None, {"type": ["string", "null"], "enum": ["red", "blue", None]}),
        (Annotated[int | None, Field(ge=1)], {"type": ["integer", "null"], "minimum": 1}),
        (
            Annotated[str, Field(min_length=2, pattern="^a")],
            {"type": "string", "minLength": 2, "pattern": "^a"},
        ),
        (Annotated[Literal["a"], Field(min_length=2)], {"type": "string", "enum": ["a"]}),
        (Annotated[str, Field(ge=1)], {"type": "string"}),
        (
            Spot,
            {
                "type": "object",
                "properties": {
                    "x": {"type": "integer"},
                    "hue": {"type": "string", "enum": ["red", "blue"], "default": "blue"},
                    "ratio": {"type": "number"},
                },
                "required": ["x"],
            },
        ),
        (
            Row,
            {
                "type": "object",
                "properties": {
                    "a": {"type": "integer"},
                    "b": {"type": "string"},
                    "c": {"type": "integer", "minimum": 1, "description": "words"},
                },
                "required": ["a"],
            },
        ),
    ],
)
def test_schema_of_a_type(hint: Any, schema: dict[str, Any]) -> None:
    assert schema_of(hint) == schema


@pytest.mark.parametrize(
    ("hint", "reason"),
    [
        (int | str, "int | str is a union"),
        (Literal["a", 1], "has integer and string"),
        (Literal[1, True], "has boolean and integer"),
        (Empty, "Empty has no values"),
        (dict[int, str], "has keys of type int"),
        (list[None], "None is not a supported type"),
        (bytes, "bytes is not a supported type"),
        (Any, "Any is not a supported type"),
    ],
)
def test_reason_of_a_rejection(hint: Any, reason: str) -> None:
    with pytest.raises(UnsupportedError) as caught:
        schema_of(hint)
    assert reason in str(caught.value)


def test_model_that_contains_itself_is_refused() -> None:
    class Leaf(BaseModel):
        kids: list[Leaf] = []

    with pytest.raises(UnsupportedError, match="Leaf contains itself"):
        schema_of(Leaf)


def test_defaults_are_written_as_json_and_nan_is_left_out() -> None:
    def act(
        hue: Hue = Hue.RED,
        parcel: Parcel = Parcel(weight=1.5),  # noqa: B008 -- the default is what is tested
        spots: list[Spot] = [Spot(1, ratio=0.5)],  # noqa: B006, B008
        ratio: float = float("inf"),
    ) -> None: ...

    properties = parameters_schema(act, "act")["properties"]
    assert properties["hue"]["default"] == "red"
    assert properties["parcel"]["default"] == {"weight": 1.5, "hue": "red"}
    assert properties["spots"]["default"] == [{"x": 1, "hue": "blue", "ratio": 0.5}]
    assert "default" not in properties["ratio"]


def test_default_that_is_no_json_is_refused() -> None:
    def act(a: int = Field(1, ge=0)) -> None: ...

    with pytest.raises(TypeError, match="parameter 'a' of tool 'act': its default is not JSON"):
        parameters_schema(act, "act")


def test_unresolved_type_is_a_name_error() -> None:
    def act(a: int, b: Later) -> None: ...  # type: ignore[name-defined] # noqa: F821

    with pytest.raises(NameError, match=r"parameter 'b' of tool 'act'.*'Later'"):
        parameters_schema(act, "act")


def test_return_type_that_does_not_resolve_costs_nothing() -> None:
    def act(a: int) -> Nowhere: ...  # type: ignore[name-defined] # noqa: F821

    assert parameters_schema(act, "act")["required"] == ["a"]


def test_other_keywords_are_additional_properties() -> None:
    def act(a: int, **more: Hue) -> None: ...

    schema = parameters_schema(act, "act")
    assert schema["additionalProperties"] == {"type": "string", "enum": ["red", "blue"]}
    assert list(schema["properties"]) == ["a"]


def test_annotated_wins_over_the_docstring() -> None:
    def act(a: Annotated[int, "own"], b: Annotated[int, "inner"] | None = None, c: int = 0) -> None:
        """Act.

        Args:
            a: told
            b: told
            c: told
        """

    described = {
        name: held.get("description") for name, held in parameters_schema(act, "act")["properties"].items()
    }
    assert described == {"a": "own", "b": "inner", "c": "told"}


@pytest.mark.parametrize(
    ("section", "texts"),
    [
        ("Args:\n    a: one\n        two\n      three", {"a": "one two three"}),
        ("Params:\n    a (list[int], (optional)): typed", {"a": "typed"}),
        ("Args:\n    a - dash\n    b: text", {"b": "text"}),
        ("Args:\n    a:\n        below", {"a": "below"}),
        ("Args:\n    a:", {}),
        ("Args:\n    a: one\nRaises:\n    a: never", {"a": "one"}),
        ("Parameters\n----------\na : int\n    numpy", {}),
        ("Args: a: inline", {}),
        ("", {}),
    ],
)
def test_google_section(section: str, texts: dict[str, str]) -> None:
    assert argument_texts(f"Summary.\n\n{section}") == texts
