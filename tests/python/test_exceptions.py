"""Exceptions: the verdict under each policy, and a failure that says what happened and nothing else."""

from __future__ import annotations

import asyncio
import gc
import io
import json
from typing import Any

import pytest
from conftest import load_folder

from pegboard import Stop
from pegboard.runtime.bound import BoundTool
from pegboard.runtime.exceptions import report, report_render_failure
from pegboard.runtime.render import render


def bound(catch: Any = True) -> BoundTool:
    return BoundTool({"name": "t"}, {}, lambda: None, None, render, catch=catch, stop=(Stop,))


def raised(error: BaseException) -> BaseException:
    try:
        raise error
    except BaseException as caught:
        return caught


def told(error: BaseException, catch: Any = True) -> dict[str, Any]:
    return json.loads(report(error, bound(catch)))


@pytest.mark.parametrize(
    ("error", "catch", "verdict"),
    [
        (ValueError("x"), True, "failed"),
        (ValueError("x"), False, "aborted"),
        (ValueError("x"), (ValueError,), "failed"),
        (KeyError("x"), (LookupError,), "failed"),
        (TypeError("x"), (ValueError,), "aborted"),
        (SystemExit(1), False, "failed"),
        (KeyboardInterrupt(), False, "failed"),
        (GeneratorExit(), (ValueError,), "failed"),
        (asyncio.CancelledError(), False, "failed"),
        (StopIteration(), True, "failed"),
        (Stop("done"), False, "stopped"),
        (ExceptionGroup("g", [Stop("done")]), True, "stopped"),
        (ExceptionGroup("g", [ValueError("a"), KeyError("b")]), (ValueError, KeyError), "failed"),
        (ExceptionGroup("g", [ValueError("a"), KeyError("b")]), (ValueError,), "aborted"),
        (BaseExceptionGroup("g", [ValueError("a"), SystemExit(2)]), False, "failed"),
    ],
)
def test_the_policy_decides(error, catch, verdict):
    assert told(raised(error), catch)["verdict"] == verdict


def test_stopping_says_its_text():
    answer = told(Stop("all done"))
    assert answer["stop_text"] == "all done"
    assert told(ValueError("x"))["stop_text"] is None


def test_a_failure_has_type_message_and_chain():
    try:
        try:
            raise OSError("disk")
        except OSError as cause:
            raise ValueError("cannot save") from cause
    except ValueError as error:
        failure = told(error)["failure"]
    assert failure["kind"] == "raised"
    assert failure["exception_type"] == "ValueError"
    assert failure["message"] == "cannot save"
    assert failure["cause_chain"] == ["OSError: disk"]
    assert failure["exit_code"] is None
    assert failure["problems"] == []
    assert "raise OSError" in failure["traceback"]


def test_a_suppressed_context_is_no_cause():
    def fail() -> None:
        try:
            raise OSError("disk")
        except OSError:
            raise ValueError("x") from None

    with pytest.raises(ValueError, match="x") as caught:
        fail()
    assert told(caught.value)["failure"]["cause_chain"] == []


def test_notes_belong_to_the_message():
    error = ValueError("port")
    error.add_note("must be below 65536")
    assert told(error)["failure"]["message"] == "port\nmust be below 65536"


@pytest.mark.parametrize(
    ("code", "status", "message"),
    [
        (None, 0, "the tool tried to leave the process with status 0"),
        (2, 2, "the tool tried to leave the process with status 2"),
        (True, 1, "the tool tried to leave the process with status 1"),
        (10**12, 2**31 - 1, f"the tool tried to leave the process with status {2**31 - 1}"),
        ("usage: x", 1, "the tool tried to leave the process with status 1: usage: x"),
    ],
)
def test_leaving_the_process(code, status, message):
    failure = told(SystemExit(code))["failure"]
    assert (failure["kind"], failure["exit_code"], failure["message"]) == ("exited", status, message)
    assert failure["exception_type"] == "SystemExit"


def test_a_group_of_one_is_that_one():
    failure = told(ExceptionGroup("unhandled errors", [ExceptionGroup("inner", [ValueError("bad port 0")])]))[
        "failure"
    ]
    assert (failure["exception_type"], failure["message"]) == ("ValueError", "bad port 0")


def test_cancelled_siblings_are_left_out():
    group = BaseExceptionGroup("g", [ValueError("bad"), asyncio.CancelledError()])
    assert told(group)["failure"]["exception_type"] == "ValueError"


def test_a_group_lists_its_leaves():
    group = ExceptionGroup("g", [ValueError("a"), ExceptionGroup("h", [KeyError("b"), OSError()])])
    failure = told(group)["failure"]
    assert failure["exception_type"] == "ExceptionGroup"
    assert failure["message"] == "ValueError: a\nKeyError: 'b'\nOSError"
    many = told(ExceptionGroup("g", [ValueError(str(number)) for number in range(25)]))["failure"]["message"]
    assert len(many.splitlines()) == 11
    assert many.endswith("and 15 more")


def test_a_group_with_an_exit_is_an_exit():
    failure = told(BaseExceptionGroup("g", [ValueError("a"), SystemExit(3)]))["failure"]
    assert (failure["kind"], failure["exit_code"]) == ("exited", 3)


class UnprintableError(Exception):
    def __str__(self) -> str:
        raise KeyboardInterrupt


class UnnotedError(Exception):
    @property
    def __notes__(self) -> Any:
        raise ValueError


@pytest.mark.parametrize(
    ("error", "reason"), [(UnprintableError(), "KeyboardInterrupt"), (UnnotedError(), "ValueError")]
)
def test_unprintable_exceptions_do_not_escape(error, reason):
    failure = told(raised(error))["failure"]
    assert failure["exception_type"] == type(error).__name__
    assert failure["message"] == f"(its text cannot be shown: {reason})"


def test_a_loop_of_causes_ends():
    first, second = ValueError("1"), ValueError("2")
    first.__cause__, second.__cause__ = second, first
    assert told(first)["failure"]["cause_chain"] == ["ValueError: 2"]


def test_half_surrogates_are_shown_as_escapes():
    assert told(ValueError("half \ud83d"))["failure"]["message"] == "half \\ud83d"


def test_tracebacks_leave_out_our_own_frames(load_text):
    loaded = load_text(
        """
from pegboard import Context, tool

@tool
def inner() -> str:
    raise ValueError("deep")

@tool
def outer() -> str:
    return inner()
"""
    )
    with pytest.raises(ValueError, match="deep") as caught:
        loaded.call("outer")
    traceback = told(caught.value)["failure"]["traceback"]
    assert "given.py" in traceback
    assert "authoring" not in traceback


@pytest.mark.filterwarnings("ignore:coroutine 'sleep' was never awaited")
def test_hints(load_text):
    loaded = load_text(
        """
import asyncio
from pegboard import tool

@tool
async def bad() -> str:
    return asyncio.run(asyncio.sleep(0, "ok"))

@tool
def own() -> str:
    raise RuntimeError("mine")
"""
    )

    async def run_bad() -> BaseException:
        try:
            await loaded.tools["bad"].function()
        except RuntimeError as error:
            return error
        raise AssertionError

    assert "await the coroutine" in told(asyncio.run(run_bad()))["failure"]["hint"]
    with pytest.raises(RuntimeError) as mine:
        loaded.call("own")
    assert told(mine.value)["failure"]["hint"] is None
    gc.collect()  # the coroutine that was never awaited says so now, and not in another test


def test_input_at_the_end_of_input(load_text, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    loaded = load_text("from pegboard import tool\n@tool\ndef ask() -> str: return input()\n")
    with pytest.raises(EOFError) as caught:
        loaded.call("ask")
    assert "no terminal" in told(caught.value)["failure"]["hint"]


def test_exceptions_of_a_loaded_file_name_the_line():
    loaded = load_folder("failures")
    with pytest.raises(TypeError) as caught:
        loaded.tools["good"].function("too many")
    assert told(caught.value)["failure"]["exception_type"] == "TypeError"


def test_private_names_stay_private(load_text):
    loaded = load_text(
        "from pegboard import tool\n"
        "class Spot: pass\n"
        "class Lost(Exception): pass\n"
        "@tool\ndef lose() -> None: raise Lost(Spot)\n"
        "@tool\ndef spot() -> object: return Spot()\n"
    )
    with pytest.raises(Exception, match="Spot") as caught:
        loaded.call("lose")
    failure = told(caught.value)["failure"]
    assert failure["message"] == "<class 'given.Spot'>"
    assert "given.Lost: <class 'given.Spot'>" in failure["traceback"]
    value = loaded.call("spot")
    unwritable = report_render_failure(ValueError("x"), value, loaded.tools["spot"])
    assert b"given.Spot" in unwritable
    assert b"pegboard_source" not in unwritable


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (AssertionError(), ""),
        (StopAsyncIteration(), ""),
        (StopIteration(), "the tool raised StopIteration"),
        (KeyboardInterrupt(), "the tool raised KeyboardInterrupt"),
        (KeyboardInterrupt("by hand"), "by hand"),
    ],
)
def test_an_exception_without_text(error, message):
    assert told(error)["failure"]["message"] == message
