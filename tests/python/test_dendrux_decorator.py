"""The `tool` decorator that stands in for dendrux's: what it leaves on a function, and what it refuses."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from typing import Any

import pytest

from pegboard.compat.dendrux.tool import get_tool_def, is_tool, tool
from pegboard.compat.dendrux.types import ToolDef, ToolTarget


def test_function_stays_the_same() -> None:
    def add(a: int, b: int = 2) -> int:
        """Add."""
        return a + b

    assert tool()(add) is add
    assert add(1) == 3
    assert is_tool(add)


def test_bare_decorator_is_the_called_one() -> None:
    @tool
    async def later(a: int) -> int:
        """Later."""
        return a

    @tool()
    async def called(a: int) -> int:
        """Later."""
        return a

    bare, full = get_tool_def(later), get_tool_def(called)
    assert (bare.name, bare.parameters) == ("later", full.parameters)
    assert asyncio.run(later(3)) == 3


def test_definition_has_every_attribute() -> None:
    @tool("client", False, 3, 2)
    def act(a: int) -> str:
        """Acts.

        Twice.
        """
        return str(a)

    assert get_tool_def(act) == ToolDef(
        name="act",
        description="Acts.\n\nTwice.",
        parameters={"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
        target=ToolTarget.CLIENT,
        parallel=False,
        max_calls_per_run=3,
        timeout_seconds=2.0,
        has_explicit_timeout=True,
        meta={},
        strict=False,
    )


def test_defaults_of_the_options() -> None:
    @tool()
    def act() -> None: ...

    held = get_tool_def(act)
    assert (held.target, held.parallel, held.max_calls_per_run) == ("server", True, None)
    assert (held.timeout_seconds, held.has_explicit_timeout, held.strict) == (120.0, False, False)


@pytest.mark.parametrize("target", ["human", "agent"])
def test_reserved_targets_are_refused_with_the_reason(target: str) -> None:
    with pytest.raises(ValueError, match=f"'{target}' of tool 'act' is reserved"):
        tool(target=target)(_act)


def test_unknown_target_is_refused() -> None:
    with pytest.raises(ValueError, match="target='moon' of tool 'act' is not a target"):
        tool(target="moon")(_act)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"timeout_seconds": None}, TypeError, "timeout_seconds=None of tool 'act'"),
        ({"timeout_seconds": "soon"}, ValueError, "timeout_seconds='soon' of tool 'act'"),
        ({"max_calls_per_run": "3"}, TypeError, "max_calls_per_run='3' of tool 'act'"),
        ({"parameters": []}, TypeError, "parameters= of tool 'act' must be a JSON Schema as a dict"),
        (
            {"parameters": {"type": "array"}},
            ValueError,
            "must have 'type': 'object' at its root, got 'array'",
        ),
        ({"parameters": {"type": "object", "x": {1}}}, TypeError, "parameters= of tool 'act' is not JSON"),
    ],
)
def test_unusable_options_are_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        tool(**options)(_act)
    assert message in str(caught.value)


def test_every_rejected_parameter_is_named() -> None:
    def half(a: int, b, c: set[int], *rest: int) -> None: ...  # type: ignore[no-untyped-def]

    with pytest.raises(TypeError) as caught:
        tool()(half)
    message = str(caught.value)
    for name in ("b", "c", "rest"):
        assert f"parameter '{name}' of tool 'half'" in message
    assert "parameter 'a'" not in message
    assert not is_tool(half)


def test_what_is_no_function_is_refused() -> None:
    class Maker:
        """A class."""

    with pytest.raises(TypeError, match="got the class 'Maker'"):
        tool()(Maker)
    with pytest.raises(TypeError, match="got an object of type partial"):
        tool()(functools.partial(_act, a=1))
    with pytest.raises(ValueError, match="cannot be called '<lambda>'"):
        tool()(lambda: None)
    with pytest.raises(TypeError, match="got an object of type classmethod"):
        tool(classmethod(_act))


def test_bound_method_becomes_a_tool() -> None:
    class Holder:
        factor = 3

        def times(self, a: int) -> int:
            """Multiply."""
            return a * self.factor

    times: Callable[..., int] = tool()(Holder().times)
    assert get_tool_def(times).parameters["required"] == ["a"]
    assert times(a=2) == 6


def test_explicit_schema_is_copied() -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "integer"}}}
    tool(parameters=schema)(_act)
    schema["properties"]["b"] = {}
    assert list(get_tool_def(_act).parameters["properties"]) == ["a"]


def test_get_tool_def_of_a_plain_function() -> None:
    def plain() -> None: ...

    with pytest.raises(ValueError, match="'plain' is not a tool"):
        get_tool_def(plain)


def _act(a: int = 1) -> str:
    return str(a)


_act.__name__ = "act"
