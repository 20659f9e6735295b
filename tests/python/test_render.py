"""Rendering: text as it is, the rest as JSON, bytes as content, and nothing that is not the value."""

from __future__ import annotations

import dataclasses
import json
from collections import OrderedDict
from datetime import datetime, timedelta
from decimal import Decimal
from enum import Enum, StrEnum
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from pegboard import Audio, Image, Resource
from pegboard.runtime.bound import BoundTool, Rendered
from pegboard.runtime.exceptions import report_render_failure
from pegboard.runtime.render import render

BOUND = BoundTool({"name": "t"}, {}, lambda: None, None, render)


class Color(Enum):
    RED = "red"


class Loud(StrEnum):
    YES = "yes"


class Model(BaseModel):
    t: float
    note: str | None = None


@dataclasses.dataclass
class Pair:
    a: Any
    b: Any = None


def as_utf8(value: object) -> None:
    """Render as a runner does: a text has to be UTF-8 in the end."""
    shown = render(value)
    if isinstance(shown, str):
        shown.encode()


def failure(value: object) -> dict[str, Any]:
    with pytest.raises(Exception) as raised:  # noqa: PT011 - whatever it is, the report has to find the place
        as_utf8(value)
    return json.loads(report_render_failure(raised.value, value, BOUND))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"t": "日本"}, '{"t":"日本"}'),
        (None, "null"),
        (True, "true"),
        (1.5, "1.5"),
        (123456789012345678901234567890, "123456789012345678901234567890"),
        ([], "[]"),
        ([{"i": 1}, {"i": 2}], '[{"i":1},{"i":2}]'),
        ((1, 2), "[1,2]"),
        ({1}, "[1]"),
        (OrderedDict(a=1), '{"a":1}'),
        ({1: "a", None: "b"}, '{"1":"a","None":"b"}'),
        (datetime(2026, 1, 2), '"2026-01-02T00:00:00"'),
        (timedelta(seconds=90), '"PT1M30S"'),
        (Decimal("1.10"), '"1.10"'),
        (Path("/x"), '"/x"'),
        (Color.RED, '"red"'),
        (UUID(int=1), '"00000000-0000-0000-0000-000000000001"'),
        (Model(t=1.5), '{"t":1.5,"note":null}'),
        (Pair(1, [Model(t=1)]), '{"a":1,"b":[{"t":1.0,"note":null}]}'),
        ({"text": "NaN and Infinity are words here"}, '{"text":"NaN and Infinity are words here"}'),
        ({"raw": b"\x00\xff"}, '{"raw":"AP8="}'),
        ({"raw": [b"\xfb\xff"], "dash": "a-b_c"}, '{"raw":["+/8="],"dash":"a-b_c"}'),
        ({"dash": "a-b_c"}, '{"dash":"a-b_c"}'),
    ],
)
def test_values_are_compact_json(value, expected):
    assert render(value) == expected.encode()


def test_texts_are_texts():
    class Text(str):
        __slots__ = ()

        def __str__(self) -> str:
            return "not this"

    assert render("as it is") == "as it is"
    assert render(Text("as it is")) == "as it is"
    assert render(Loud.YES) == "yes"
    assert type(render(Loud.YES)) is str


@pytest.mark.parametrize(
    ("value", "path", "reason"),
    [
        ({"o": object()}, "$.o", "is of type object"),
        (
            {"a": [1, 2, 3, {"b": Pair(1, [NotImplemented])}]},
            "$.a[3].b.b[0]",
            "is of type NotImplementedType",
        ),
        ({"a b": object()}, "$['a b']", "is of type object"),
        (float("nan"), "$", "is NaN"),
        ({"a": [0.0, float("-inf")]}, "$.a[1]", "is infinite"),
        (Model(t=float("nan")), "$.t", "is NaN"),
        ([Pair(Model(t=float("inf")))], "$[0].a.t", "is infinite"),
        ("half \ud83d", "$", "holds half of a surrogate pair"),
        ({"a": "half \ud83d"}, "$.a", "holds half of a surrogate pair"),
        (lambda: 1, "$", "is of type function"),
        (type, "$", "is of type type"),
    ],
)
def test_what_cannot_be_written_is_a_failure_with_the_place(value, path, reason):
    made = failure(value)
    assert made["kind"] == "not_serializable"
    assert f"JSON: {path} {reason}" in made["message"]
    assert made["message"].startswith("the tool ran, but")
    assert "0x" not in made["message"]


def test_values_without_end():
    cycle: dict[str, Any] = {"a": []}
    cycle["a"].append(cycle)
    assert "$.a[0] contains itself" in failure(cycle)["message"]
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    assert "is nested deeper than" in failure(deep)["message"]


def test_a_model_may_choose_what_becomes_of_nan():
    class Chosen(BaseModel):
        model_config = ConfigDict(ser_json_inf_nan="null")
        t: float

    assert render(Chosen(t=float("nan"))) == b'{"t":null}'


def test_a_serializer_that_raises_is_named():
    class Broken(BaseModel):
        a: int = Field(default=1)

        def model_post_init(self, context: object) -> None: ...

        from pydantic import field_serializer

        @field_serializer("a")
        def explode(self, value: int) -> int:
            raise RuntimeError("no such row")

    assert "no such row" in failure(Broken())["message"]


@pytest.mark.parametrize(
    ("value", "block", "text"),
    [
        (
            b"\x89PNG\xff",
            {"type": "image", "mime_type": "image/png", "data": "iVBOR/8="},
            "[image/png, 5 bytes]",
        ),
        (
            Image(b"\xff\xd8\xff\xe0"),
            {"type": "image", "mime_type": "image/jpeg", "data": "/9j/4A=="},
            "[image/jpeg, 4 bytes]",
        ),
        (
            Audio(b"x", "audio/aac"),
            {"type": "audio", "mime_type": "audio/aac", "data": "eA=="},
            "[audio/aac, 1 bytes]",
        ),
        (
            b"\x00\x01",
            {"type": "resource", "mime_type": "application/octet-stream", "uri": None, "data": "AAE="},
            "[application/octet-stream, 2 bytes]",
        ),
        (
            Resource(uri="https://example.test/x", mime_type="text/csv"),
            {"type": "resource", "mime_type": "text/csv", "uri": "https://example.test/x", "data": None},
            "[text/csv https://example.test/x]",
        ),
        (
            Resource(b"%PDF-1.7", uri="file:///a.pdf"),
            {
                "type": "resource",
                "mime_type": "application/pdf",
                "uri": "file:///a.pdf",
                "data": "JVBERi0xLjc=",
            },
            "[application/pdf, 8 bytes file:///a.pdf]",
        ),
        (
            bytearray(b"GIF89a"),
            {"type": "image", "mime_type": "image/gif", "data": "R0lGODlh"},
            "[image/gif, 6 bytes]",
        ),
    ],
)
def test_bytes_are_content(value, block, text):
    assert render(value) == Rendered(text, None, (block,))


def test_only_lists_of_content_become_several_blocks():
    shown = render(["a caption", Image(b"GIF87a"), Image(b"GIF89a")])
    assert isinstance(shown, Rendered)
    assert shown.text == "a caption\n[image/gif, 6 bytes]\n[image/gif, 6 bytes]"
    assert [block["type"] for block in shown.content] == ["image", "image"]
    assert render([b"\x01", b"\x02"]) == b'["AQ==","Ag=="]'
    assert "$[0] is of type pegboard.authoring.content.Image" in failure([Image(b"GIF87a"), 1])["message"]
    assert "$.shot" in failure({"shot": Image(b"GIF87a")})["message"]


def test_an_image_of_no_known_kind_needs_its_type():
    assert "mime_type" in failure(Image(b"??"))["message"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON.filter(lambda value: not isinstance(value, str)))
def test_json_values_survive(value):
    shown = render(value)
    assert isinstance(shown, bytes)
    assert json.loads(shown) == value


@given(JSON, st.sampled_from([float("nan"), float("inf"), object(), "\udc00"]))
def test_one_bad_leaf_is_always_found(value, bad):
    placed = {"outer": [value, {"here": bad}]}
    assert "$.outer[1].here" in failure(placed)["message"]
