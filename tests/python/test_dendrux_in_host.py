"""What goes wrong elsewhere with tools of dendrux's kind, in a real host."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pegboard import Host, Outcome

TOOLS = Path(__file__).parents[1] / "tools" / "dendrux"


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    with Host(TOOLS, compat="builtin", working_directory=tmp_path) as host:
        yield host


def together(host: Host, tool: str, times: int) -> list[Outcome]:
    async def call() -> list[Outcome]:
        return await asyncio.gather(*[host.call_async(tool) for _ in range(times)])

    return asyncio.run(call())


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"r": 1, "a": "null"}, [None, None, 7, 1]),
        ({"r": 1, "s": "null"}, [None, "null", 7, 1]),
        ({"r": 1, "n": None}, [None, None, 7, 1]),
    ],
)
def test_words_for_nothing_are_read_as_nothing_where_they_can_mean_nothing_else(
    host: Host, arguments: dict[str, object], expected: list[object]
) -> None:
    assert json.loads(host.call("given", arguments).text) == expected


def test_a_required_parameter_takes_no_null(host: Host) -> None:
    failure = host.call("given", {"r": None}).failure
    assert failure is not None
    assert [problem.pointer for problem in failure.problems] == ["/r"]


def test_one_loop_serves_all_calls(host: Host) -> None:
    assert len({outcome.text for outcome in together(host, "loop_number", 4)}) == 1


def test_a_plain_function_does_not_hold_up_others(host: Host) -> None:
    # Each waits for the other, so one after the other would never end.
    assert [outcome.text for outcome in together(host, "meet", 2)] == ['"ok"', '"ok"']


def test_a_plain_function_may_run_a_loop_whatever_the_caller_is(host: Host) -> None:
    assert {outcome.text for outcome in together(host, "sync_over_async", 10)} == {'"ok"'}
    assert host.call("sync_over_async").text == '"ok"'


def test_a_loop_inside_the_loop_is_explained(host: Host) -> None:
    failure = host.call("loop_in_loop").failure
    assert failure is not None
    assert failure.exception_type == "RuntimeError"
    assert failure.hint is not None
    assert "await" in failure.hint


def test_a_tool_that_goes_on_is_said_to_go_on(host: Host) -> None:
    outcome = host.call("slow")
    assert outcome.failure is not None
    assert (outcome.failure.kind, outcome.failure.still_running) == ("timed_out", True)
    answer = json.loads(outcome.text)
    assert answer == {"error": "Tool 'slow' timed out after 0.2s", "still_running": True}


def test_a_tool_that_was_stopped_is_not(host: Host) -> None:
    outcome = host.call("slow_later")
    assert outcome.failure is not None
    assert (outcome.failure.kind, outcome.failure.still_running) == ("timed_out", False)
    assert json.loads(outcome.text) == {"error": "Tool 'slow_later' timed out after 0.2s"}


def test_a_timeout_of_the_tools_own_is_its_own(host: Host) -> None:
    failure = host.call("own_timeout").failure
    assert failure is not None
    assert (failure.kind, failure.exception_type, failure.message) == ("raised", "TimeoutError", "db")
