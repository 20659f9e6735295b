"""The options of a host: what they change, and what is said of wrong ones."""

from __future__ import annotations

import pytest
from hosts import DOOR, TOOLS

from pegboard import Host, PegboardError, SettingError, SourceError

CATCHING = TOOLS / "documented" / "dreadnode" / "catching.py"


def test_an_unknown_option_is_a_type_error_that_lists_the_options():
    with pytest.raises(TypeError, match=r"no option \"time_out\".*timeout"):
        Host(DOOR, time_out=3)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"compat": "real"}, ValueError, '"auto" or "builtin"'),
        ({"catch_default": "none"}, ValueError, '"documented" or "all"'),
        ({"failure_detail": "some"}, ValueError, '"redacted" or "full"'),
        ({"timeout": -1}, ValueError, "timeout must be a number of seconds"),
        ({"grace": float("nan")}, ValueError, "grace must be a number of seconds"),
        ({"timeout": "3"}, TypeError, "timeout must be a number of seconds, not '3'"),
        ({"sync_threads": -1}, ValueError, "whole number that is not negative, not -1"),
        ({"log_bytes": 1.5}, TypeError, "log_bytes must be a whole number"),
        ({"run_checks": "yes"}, TypeError, "run_checks must be True or False, not 'yes'"),
        ({"search_capabilities": 1}, TypeError, "search_capabilities must be True or False, not 1"),
        ({"compat": 3}, TypeError, 'compat must be "auto" or "builtin", not 3'),
        ({"mcp": 5}, TypeError, "mcp must be a list of texts, not 5"),
        ({"mcp": "npx server"}, TypeError, "mcp must be a list of texts, not 'npx server'"),
        ({"working_directory": 5}, TypeError, "working_directory must be a path, not 5"),
        ({"secret_patterns": ["("]}, SettingError, r"secret_pattern"),
    ],
)
def test_a_wrong_value(options, error, words):
    with pytest.raises(error, match=words):
        Host(DOOR, **options)


def test_a_setting_error_names_the_setting():
    with pytest.raises(SettingError) as raised:
        Host(DOOR, secret_patterns=["("])
    assert raised.value.setting == "secret_patterns"
    assert isinstance(raised.value, PegboardError)


def test_a_source_that_does_not_exist(tmp_path):
    with pytest.raises(SourceError) as raised:
        Host(tmp_path / "tool")
    assert raised.value.path == tmp_path / "tool"
    assert raised.value.code == "source"


def test_a_source_of_the_wrong_type():
    with pytest.raises(TypeError):
        Host(5)


def test_the_default_of_catch():
    with Host(CATCHING, compat="builtin") as host, pytest.raises(ValueError, match="a value error"):
        host.call("by_default", {"kind": "value"})
    with Host(CATCHING, compat="builtin", catch_default="all") as host:
        failure = host.call("by_default", {"kind": "value"}).failure
        assert failure is not None
        assert failure.exception_type == "ValueError"


def test_a_time_limit():
    with Host(DOOR, timeout=0.05) as host:
        failure = host.call("meet", {"ms": 60_000}).failure
        assert failure is not None
        assert (failure.kind, failure.still_running) == ("timed_out", False)
        assert host.call("recall").structured == ["begins", "cancelled", "ends"]


@pytest.mark.parametrize("tool", ["recall", "meet"])
def test_a_time_limit_of_nothing_is_over_before_the_tool_runs(tool):
    with Host(DOOR, timeout=0) as host:
        failure = host.call(tool, {"ms": 0} if tool == "meet" else {}).failure
        assert failure is not None
        assert (failure.kind, failure.still_running) == ("timed_out", False)


def test_limits_of_arguments():
    with Host(DOOR, argument_bytes=20, argument_depth=3) as host:
        long, deep = host.call("same", {"value": "x" * 30}), host.call("same", '{"value": [[[]]]}')
        assert [each.failure.problems[0].code for each in (long, deep)] == ["too_long", "too_deep"]
        assert host.call("same", '{"value": [1]}').structured == [1]


def test_secrets_are_masked_in_failures():
    with Host(CATCHING, compat="builtin", secret_patterns=["value (error)"]) as host:
        text = host.call("all_of_them", {"kind": "value"}).text
        assert "a value error" not in text


def test_items_of_a_generator_are_bounded():
    with Host(DOOR, generator_items=1) as host:
        failure = host.call("talk_while_yielding").failure
        assert failure is not None
        assert failure.exception_type == "TooManyItemsError"
