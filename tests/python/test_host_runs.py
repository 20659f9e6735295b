"""Runs through the Python door: the forms of calls, limits, the client's tools, and the end of a run."""

from __future__ import annotations

import json

import pytest
from hosts import DOOR

from pegboard import Host, PendingCall, UnknownCallError, UnknownToolError


@pytest.fixture(scope="module")
def host():
    with Host(DOOR) as made:
        yield made


def test_a_call_is_a_tuple_or_a_dict(host):
    with host.run() as run:
        results = run.call_all(
            [
                ("add", {"a": 1}),
                ("add", '{"a": 2}', "c2"),
                {"tool": "add", "arguments": b'{"a": 3}', "call_id": "c3"},
                {"tool": "recall"},
            ]
        )
    assert [result.text for result in results[:3]] == ["2", "3", "4"]
    assert [result.call_id for result in results[1:3]] == ["c2", "c3"]


@pytest.mark.parametrize("call", ["add", ("add",), {"arguments": {}}, 5, ("add", {}, "c1", "more")])
def test_other_forms_are_a_type_error_that_names_them(host, call):
    with host.run() as run, pytest.raises(TypeError, match=r"\(tool, arguments, call_id\), or a dict"):
        run.call_all([call])


def test_a_batch_is_anything_that_can_be_iterated_over(host):
    with host.run() as run:
        results = run.call_all(("add", {"a": number}) for number in range(3))
    assert [result.text for result in results] == ["1", "2", "3"]


def test_results_are_in_call_order_and_errors_stand_in_their_places(host):
    with host.run() as run:
        slow, unknown, wrong, quick = run.call_all(
            [("meet", {"ms": 30}), ("nothing", {}), ("add", {"a": "x"}), ("add", {"a": 1})]
        )
    assert (slow.text, quick.text) == ("met", "2")
    assert isinstance(unknown, UnknownToolError)
    assert wrong.failure.kind == "invalid_arguments"


def test_a_tool_has_its_calls_once_in_each_run(host):
    with host.run() as run:
        assert run.call("once").text == "ran"
        again = run.call("once")
        assert again.failure.kind == "limit_reached"
    with host.run() as run:
        assert run.call("once").text == "ran"


def test_the_clients_tools_are_handed_over_and_submitted(host):
    with host.run() as run:
        pending = run.call("ask", {"question": "why?"}, call_id="q1")
        assert isinstance(pending, PendingCall)
        assert (pending.call_id, pending.tool) == ("q1", "ask")
        assert json.loads(pending.arguments) == {"question": "why?"}
        assert [each.call_id for each in run.pending] == ["q1"]
        outcome = run.submit("q1", "because")
        assert (outcome.call_id, outcome.tool, outcome.text) == ("q1", "ask", "because")
        assert run.pending == ()
        with pytest.raises(UnknownCallError):
            run.submit("q1", "twice")


def test_arguments_for_the_client_are_checked_before_they_are_handed_over(host):
    with host.run() as run:
        refused = run.call("ask", {"qestion": "why?"})
        assert refused.failure.kind == "invalid_arguments"
        assert run.pending == ()


def test_a_tool_ends_the_run(host):
    with host.run() as run:
        stop, sibling = run.call_all([("enough", {"text": "done"}), ("add", {"a": 1})])
        assert (stop.stop, sibling.text) == (True, "2")
        assert run.stopped_by == "enough"
        assert run.call("add", {"a": 1}).failure.kind == "limit_reached"
