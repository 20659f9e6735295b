"""What the door raises: the tool's own exception object untouched, and else a `PegboardError`."""

from __future__ import annotations

import asyncio
import pickle

import pytest
from hosts import DOOR, TOOLS

import pegboard
from pegboard import (
    AbortedError,
    ClosedError,
    Host,
    PegboardError,
    ToolNotLoadedError,
    UnknownCallError,
    UnknownToolError,
)


@pytest.fixture
def host():
    with Host(DOOR) as made:
        yield made


def refused(error: BaseException) -> object:
    """The object that the tools raise, as their own module has it."""
    entry = error.__traceback__
    while entry.tb_next is not None:
        entry = entry.tb_next
    return entry.tb_frame.f_globals["REFUSED"]


@pytest.mark.parametrize("tool", ["refuse", "refuse_async"])
def test_the_tools_own_exception_object_is_raised(host, tool):
    with pytest.raises(Exception, match="refused with 7") as raised:
        host.call(tool)
    assert raised.value is refused(raised.value)
    assert raised.value.code == 7
    assert not isinstance(raised.value, PegboardError)


@pytest.mark.parametrize("tool", ["refuse", "refuse_async"])
def test_it_is_raised_from_an_awaited_call_too(host, tool):
    async def call() -> BaseException:
        with pytest.raises(Exception, match="refused with 7") as raised:
            await host.call_async(tool)
        return raised.value

    error = asyncio.run(call())
    assert error is refused(error)


def test_a_batch_holds_it_in_its_place(host):
    with host.run() as run:
        first, error, last = run.call_all([("add", {"a": 1}), ("refuse", {}), ("add", {"a": 2})])
    assert (first.text, last.text) == ("2", "3")
    assert error is refused(error)


def test_refused_arguments_abort_a_tool_that_catches_nothing(host):
    with pytest.raises(AbortedError) as raised:
        host.call("refuse", {"x": 1})
    assert raised.value.tool == "refuse"
    assert raised.value.failure.kind == "invalid_arguments"
    assert raised.value.failure.problems[0].pointer == "/x"


def test_an_unknown_tool_has_near_names(host):
    with pytest.raises(UnknownToolError, match="recal") as raised:
        host.call("recal")
    assert (raised.value.name, raised.value.near[0]) == ("recal", "recall")
    with pytest.raises(UnknownToolError):
        host.tool("recal")


def test_a_tool_that_was_not_loaded_says_why():
    with Host(TOOLS / "broken") as host:
        left_out = next(each for each in host.diagnostics if each.tools)
        with pytest.raises(ToolNotLoadedError) as raised:
            host.call(left_out.tools[0])
    assert raised.value.name == left_out.tools[0]
    assert raised.value.diagnostic.code == left_out.code


def test_a_closed_host_takes_no_calls(host):
    host.close()
    with pytest.raises(ClosedError):
        host.call("add", {"a": 1})
    host.close()


def test_an_unknown_call_id(host):
    with host.run() as run, pytest.raises(UnknownCallError) as raised:
        run.submit("c9", "text")
    assert raised.value.call_id == "c9"


@pytest.mark.parametrize("name", [name for name in pegboard.__all__ if name.endswith("Error")])
def test_every_exception_has_one_base_and_a_code(name):
    kind = getattr(pegboard, name)
    assert issubclass(kind, PegboardError)
    assert kind.code.islower()


def test_errors_can_be_pickled(host):
    with pytest.raises(UnknownToolError) as raised:
        host.call("recal")
    copy = pickle.loads(pickle.dumps(raised.value))
    assert (str(copy), copy.name, copy.near) == (
        str(raised.value),
        raised.value.name,
        raised.value.near,
    )


def test_a_caught_exception_keeps_its_traceback_for_the_owner():
    with Host(TOOLS / "documented" / "dreadnode" / "catching.py", compat="builtin") as host:
        failure = host.call("all_of_them", {"kind": "connection"}).failure
    assert failure is not None
    assert (failure.kind, failure.exception_type, failure.message) == (
        "raised",
        "ConnectionError",
        "a connection error",
    )
    assert "catching.py" in failure.traceback
    assert "pegboard_source" not in failure.traceback
