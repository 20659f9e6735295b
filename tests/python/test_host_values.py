"""What the host writes of a value by itself is what the runtime's own code would write."""

from __future__ import annotations

import enum
import sys
from collections import OrderedDict
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pegboard import Host, Image
from pegboard.runtime.render import render

TOOL = """\
import handed_over
from typing import Any
from pegboard import tool


@tool(offload=False)
def give() -> Any:
    return handed_over.value
"""

held = SimpleNamespace(value=None)

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["\ud800", 2**63, -(2**63)]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def host(tmp_path_factory):
    folder = tmp_path_factory.mktemp("values")
    (folder / "give.py").write_text(TOOL)
    sys.modules["handed_over"] = held
    with Host(folder) as made:
        yield made
    del sys.modules["handed_over"]


def expect_as_written_by_python(host, value):
    held.value = value
    outcome = host.call("give")
    try:
        shown = render(value)
        if isinstance(shown, str):
            shown.encode()
    except Exception:
        assert outcome.failure.kind == "not_serializable"
        return
    if isinstance(shown, bytes):
        assert outcome.text == shown.decode()
    elif isinstance(shown, str):
        assert outcome.text == shown
        assert outcome.structured == shown
    else:
        assert outcome.text == shown.text
        assert len(outcome.content) == len(shown.content)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=400)
@given(value=JSON)
def test_any_json(host, value):
    expect_as_written_by_python(host, value)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=400)
@given(number=st.floats())
def test_every_float(host, number):
    expect_as_written_by_python(host, [number])


class Colour(enum.StrEnum):
    RED = "red"


class Rank(enum.IntEnum):
    FIRST = 1


class Point(NamedTuple):
    x: int
    y: int


class Name(str):
    """A string that is no plain one."""


@pytest.mark.parametrize(
    "value",
    [
        Colour.RED,
        [Colour.RED, Rank.FIRST, True],
        {"rank": Rank.FIRST, Name("name"): Name("text")},
        Point(1, 2),
        [Point(1, 2)],
        OrderedDict(a=1),
        {1: "one", None: "none", False: "false"},
        b"\xff\xfe",
        [b"\xff\xfe", "text"],
        {"set": {1}, "frozen": frozenset()},
        ["caption", Image(b"GIF87a")],
        [Image(b"GIF87a"), "caption"],
        (Image(b"GIF87a"),),
        {"shot": Image(b"GIF87a")},
        ['\x00\x1f\x7f\u2028\\"/é日本\U0001f600'],
        [-0.0, 1e16, 1.5e300, 5e-324, 123456789012345680.0],
        object(),
        ...,
    ],
    ids=repr,
)
def test_what_only_looks_like_json(host, value):
    expect_as_written_by_python(host, value)


def test_nesting_is_followed_as_far_as_python_goes(host):
    for depth in (31, 32, 33, 100):
        value: object = 1
        for _ in range(depth):
            value = [value]
        expect_as_written_by_python(host, value)


def test_a_value_that_holds_itself_is_a_failure(host):
    value: list[object] = []
    value.append(value)
    expect_as_written_by_python(host, value)
