"""Numbers are numbers, and the branches of a union are no places."""

from __future__ import annotations

import pytest
from pydantic_core import SchemaValidator


def _models_are_built_afresh() -> bool:
    try:
        SchemaValidator({"type": "any"}, None, _use_prebuilt=False)
    except TypeError:
        return False
    return True


NEEDS_FRESH_MODELS = pytest.mark.skipif(
    not _models_are_built_afresh(), reason="this pydantic validates models by its own rules alone"
)


@pytest.mark.parametrize(
    ("annotation", "text", "expected"),
    [
        ("int", "10.0", 10),
        ("int", '"10.0"', 10),
        ("int", '"10"', 10),
        ("int", "123456789012345678901234567890", 123456789012345678901234567890),
        ("int", "10.5", "int_from_float"),
        ("int", "true", "int_type"),
        ("int", "false", "int_type"),
        ("int", "1e20", "int_inexact"),
        ("int", "9007199254740993.0", None),
        ("int", "18014398509481984.0", "int_inexact"),
        ("float", "true", "float_type"),
        ("float", "1", 1.0),
        ("float", '"1.5"', 1.5),
        ("bool", "1", True),
        ("bool", "true", True),
        ("int | bool", "true", True),
        ("int | str", '"5"', "5"),
        ("int | str", "5", 5),
        ("int | None", "null", None),
        ("list[int]", "[true]", "int_type"),
        ("dict[str, int]", '{"a": true}', "int_type"),
        pytest.param("Box", '{"n": true}', "int_type", marks=NEEDS_FRESH_MODELS),
        ("Box", '{"n": "3"}', 3),
        ("Pair", '{"n": true}', "int_type"),
        ("str", "1", "string_type"),
        ("Annotated[int, Field(ge=3)]", "1", "greater_than_equal"),
        ("Annotated[int, Field(ge=3)]", "4.0", 4),
        ("Annotated[int, Field(strict=True)]", "4.0", "int_type"),
    ],
)
def test_numbers_are_numbers(load_text, annotation, text, expected):
    loaded = load_text(
        f"""
from dataclasses import dataclass
from typing import Annotated, Any
from pydantic import BaseModel, Field
from pegboard import tool

class Box(BaseModel):
    n: int

@dataclass
class Pair:
    n: int

@tool
def f(a: {annotation}) -> Any:
    return getattr(a, "n", a)
"""
    )
    arguments = f'{{"a": {text}}}'
    if isinstance(expected, str) and expected.isidentifier() and "_" in expected:
        found = loaded.problems("f", arguments)
        assert len(found) == 1
        assert found[0][1] == expected
    else:
        value = loaded.call("f", arguments)
        if expected is not None or annotation.endswith("None"):
            assert value == expected
            assert type(value) is type(expected)
        else:
            assert value == 2**53


def test_unions_name_the_place_and_not_the_branch(load_text):
    loaded = load_text(
        """
from pegboard import tool

@tool
def f(a: list[int] | dict[str, float]) -> None: ...
"""
    )
    assert loaded.problems("f", '{"a": true}') == [("/a", "list_type"), ("/a", "dict_type")]
    assert loaded.problems("f", '{"a": [true]}') == [("/a/0", "int_type"), ("/a", "dict_type")]
