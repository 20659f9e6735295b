"""`Config` and `Context` parameters: supplied at the call, never shown, never sent by the model."""

from __future__ import annotations

import asyncio
import contextvars

import pytest
from pydantic import ValidationError

from pegboard.compat.configuration import Component, ConfigInfo
from pegboard.compat.injection import ContextWarning, CurrentTask, EnvVar
from pegboard.compat.model import Model
from pegboard.runtime import current

SUPPLIED = """
import typing as t
import dreadnode
from dreadnode import tool, tool_method, Toolset, Config, EnvVar, CurrentTask

@tool
def chosen(a: int, depth: int = Config(3, help="Deep"), names: list = Config(default_factory=list)) -> list:
    return [a, depth, names]

@tool
def annotated(a: int, depth: t.Annotated[int, Config(ge=1)] = 4) -> list:
    return [a, depth]

@tool
def required(a: int, key: str = Config(...)) -> str:
    return key

@tool
def home(a: int, where: str = EnvVar("PEGBOARD_TEST_WHERE", default="fallback")) -> list:
    return [a, where]

@tool
def task(a: int, task: t.Any = CurrentTask()) -> t.Any:
    return task

@tool
async def later(a: int, depth: int = Config(5)) -> list:
    return [a, depth]

class Set(Toolset):
    base: int = 10

    @tool_method
    def method(self, a: int, depth: int = Config(6)) -> list:
        return [self.base, a, depth]
"""


@pytest.mark.parametrize("future", ["", "from __future__ import annotations\n"])
def test_what_is_supplied_is_not_in_the_schema_and_reaches_the_function(
    load_text, monkeypatch, future
) -> None:
    loaded = load_text(future + SUPPLIED, compat="builtin")
    assert loaded.diagnostics == []
    for name in loaded.names:
        assert list(loaded.schema(name)["properties"]) == ["a"]
    assert loaded.call("chosen", {"a": 1}) == [1, 3, []]
    assert loaded.call("annotated", {"a": 1}) == [1, 4]
    assert loaded.call("method", {"a": 1}) == [10, 1, 6]
    assert loaded.call("home", {"a": 1}) == [1, "fallback"]
    monkeypatch.setenv("PEGBOARD_TEST_WHERE", "set")
    assert loaded.call("home", {"a": 1}) == [1, "set"]
    assert loaded.tools["later"].asynchronous
    assert asyncio.run(loaded.tools["later"].function(a=1)) == [1, 5]


def test_what_nobody_supplies_is_an_error_that_names_it(load_text) -> None:
    loaded = load_text(SUPPLIED, compat="builtin")
    with pytest.raises(TypeError, match="'key'"):
        loaded.call("required", {"a": 1})
    with pytest.raises(TypeError, match="'task'"):
        loaded.call("task", {"a": 1})


def test_the_model_cannot_send_what_is_supplied(load_text) -> None:
    loaded = load_text(SUPPLIED, compat="builtin")
    with pytest.raises(ValidationError, match="depth"):
        loaded.call("chosen", {"a": 1, "depth": 9})


def test_a_context_that_is_not_required_is_none_with_a_warning() -> None:
    with pytest.warns(ContextWarning, match="CurrentTask"):
        assert CurrentTask(required=False).resolve() is None
    assert CurrentTask(default=3).resolve() == 3


def test_a_context_may_adapt_its_value(monkeypatch) -> None:
    monkeypatch.setenv("PEGBOARD_TEST_NUMBER", "7")
    assert EnvVar("PEGBOARD_TEST_NUMBER").adapt(int).resolve() == 7


def test_a_component_can_be_configured_anew() -> None:
    def run(a: int, depth: int = ConfigInfo({"default": 1})) -> list[int]:  # type: ignore[assignment]
        return [a, depth]

    component = Component(run)
    assert component(1) == [1, 1]
    assert component(1, 9) == [1, 9]
    assert component.configure(depth=5)(1) == [1, 5]
    assert component.clone()(2) == [2, 1]
    with pytest.warns(UserWarning, match="'width'"):
        component.configure(width=1)


def test_a_model_takes_config_as_fields() -> None:
    import dreadnode

    class Settings(Model):
        depth: int = dreadnode.Config(3, ge=1)
        name: str = dreadnode.Config(...)

    assert Settings(name="x").depth == 3
    assert Settings(name="x").configure(depth=4).depth == 4
    with pytest.raises(ValidationError):
        Settings(name="x", depth=0)


def test_code_inside_a_tool_can_name_its_call(load_text) -> None:
    loaded = load_text(
        "from dreadnode import tool\nfrom dreadnode.agents.tools import current_tool_call\n"
        "def seen():\n    call = current_tool_call.get()\n    return [call.id, call.name, call.arguments]\n"
        "@tool\ndef sync(a: int): return seen()\n"
        "@tool\nasync def later(a: int): return seen()\n"
        "@tool\nasync def items(a: int):\n    yield seen()\n",
        compat="builtin",
    )

    class Handle:
        call_id = "c1"

    def calling(name: str):
        return contextvars.copy_context().run(
            current.run, Handle(), loaded.tools[name].function, (), {"a": 1}
        )

    assert calling("sync") == ["c1", "sync", '{"a":1}']

    async def live() -> list[object]:
        current.CURRENT.set(Handle())  # type: ignore[arg-type]
        made = [item async for item in loaded.tools["items"].function(a=1)]
        return [await loaded.tools["later"].function(a=1), *made]

    assert asyncio.run(live()) == [["c1", "later", '{"a":1}'], ["c1", "items", '{"a":1}']]
