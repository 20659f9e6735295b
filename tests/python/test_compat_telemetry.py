"""Reports to the platform become lines of the call's log."""

from __future__ import annotations

import asyncio
import contextvars
import logging

import pytest

from pegboard.compat.finder import install
from pegboard.runtime import current

install("builtin")

import dreadnode  # noqa: E402 - the stand-in answers from here on


class Handle:
    call_id = "c1"
    tool = "t"
    cancelled = False

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []

    def write(self, stream: str, text: str) -> None:
        self.lines.append((stream, text))


def logged(function) -> list[str]:
    handle = Handle()
    contextvars.copy_context().run(current.run, handle, function, (), {})
    assert all(stream == "log" for stream, _ in handle.lines)
    return [text for _, text in handle.lines]


def test_each_report_is_a_line() -> None:
    def report() -> None:
        dreadnode.log_metric("score", 0.5, step=2)
        dreadnode.log_metrics({"a": 1, "b": 2})
        dreadnode.log_metrics([{"name": "c", "value": 3}])
        dreadnode.log_param("p", "x")
        dreadnode.log_params(q=1, r=2)
        dreadnode.log_input("i", [1])
        dreadnode.log_inputs(j=1)
        dreadnode.log_output("o", dreadnode.Markdown("# hi"), to="run")
        dreadnode.log_outputs(u=1)
        dreadnode.log_artifact("file.txt")
        dreadnode.tag("one", "two")
        dreadnode.get_default_instance().log_metric("m", 1)

    lines = logged(report)
    assert lines[:4] == ["metric score=0.5 step=2", "metric a=1", "metric b=2", "metric c=3"]
    assert lines[4:9] == ["param p=x", "param q=1", "param r=2", "input i=[1]", "input j=1"]
    assert lines[10:] == ["output u=1", "artifact file.txt", "tag one two", "metric m=1"]


def test_values_that_are_long_or_cannot_be_shown_stay_short() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError

    def report() -> None:
        dreadnode.log_output("long", "x" * 5000)
        dreadnode.log_output("broken", Broken())

    long, broken = logged(report)
    assert len(long) < 600
    assert "5000 characters" in long
    assert broken == "output broken=<Broken>"


def test_a_span_works_in_both_kinds_of_with() -> None:
    def report() -> None:
        with dreadnode.span("outer") as span:
            span.set_attribute("k", 1)
        with pytest.raises(KeyError), dreadnode.task_span("fails"):
            raise KeyError

        async def live() -> None:
            async with dreadnode.run("inner"):
                dreadnode.tag("inside")

        asyncio.run(live())

    assert logged(report) == [
        "span outer",
        "span outer k=1",
        "span fails",
        "span fails ended with KeyError",
        "span inner",
        "tag inside",
    ]


def test_a_task_stays_the_function_that_it_is() -> None:
    def work() -> int:
        return 1

    assert dreadnode.task(work) is work
    assert dreadnode.task(name="named")(work) is work


def test_outside_of_a_call_reports_go_to_a_logger(caplog) -> None:
    with caplog.at_level(logging.INFO, "pegboard.compat"):
        dreadnode.log_metric("score", 1)
    assert caplog.messages == ["metric score=1"]


def test_the_instance_takes_settings_and_says_what_it_lacks() -> None:
    instance = dreadnode.configure(server="https://example.com", project="p")
    assert instance is dreadnode.get_default_instance()
    with pytest.raises(AttributeError, match=r"'api'.*pip install dreadnode"):
        _ = instance.api
    assert dreadnode.get_current_task() is None
