"""The Python door: what a host tells of its tools, and what a call comes to."""

from __future__ import annotations

import asyncio
from types import MappingProxyType

import pytest
from hosts import DOOR, INTEL, TOOLS

from pegboard import Host, Outcome


@pytest.fixture(scope="module")
def host():
    with Host(DOOR) as made:
        yield made


def test_the_documented_way_in(monkeypatch):
    monkeypatch.chdir(INTEL.parents[1])
    with Host("examples/intel") as host:
        tools, diagnostics = host.tools, host.diagnostics
        assert isinstance(tools, tuple)
        assert diagnostics == ()
        assert [tool.name for tool in tools] == ["lookup_indicator", "sweep_indicators", "watch", "report"]
        lookup = host.tool("lookup_indicator")
        assert lookup.description
        assert lookup.parameters_schema["required"] == ["indicator"]
        assert lookup.source.path == INTEL / "tools" / "lookup.py"
        out = host.call("lookup_indicator", {"indicator": "198.51.100.7"}, call_id="c1")
        assert isinstance(out, Outcome)
        assert (out.call_id, out.tool) == ("c1", "lookup_indicator")
        assert out.structured["indicator"] == "198.51.100.7"
        assert (out.failure, out.stop, out.repairs, out.logs, out.offload) == (None, False, (), (), None)

        async def again() -> Outcome:
            return await host.call_async("lookup_indicator", {"indicator": "198.51.100.7"})

        assert asyncio.run(again()).text == out.text
        exported = host.export("openai", strict=False)
        assert len(exported.tools) == len(tools)
        assert isinstance(exported.notes, tuple)
        with host.run() as run:
            results = run.call_all([("watch", {"indicator": "example.com"}), ("report", {})])
            assert [result.failure for result in results] == [None, None]


def test_a_definition_tells_where_the_tool_is_and_how_it_runs(host):
    ask, once, meet = host.tool("ask"), host.tool("once"), host.tool("meet")
    assert (ask.target, once.target) == ("client", "server")
    assert (once.max_calls_per_run, ask.max_calls_per_run) == (1, None)
    assert (meet.asynchronous, once.asynchronous) == (True, False)
    assert (meet.source.path, meet.source.dialect, meet.source.toolset) == (
        DOOR / "calls.py",
        "pegboard",
        None,
    )
    lines = (DOOR / "calls.py").read_text().splitlines()
    assert "async def meet" in "".join(lines[meet.source.line - 1 :][:2])
    assert host.tool("add").output_schema == {"type": "integer"}


def test_diagnostics_tell_what_was_left_out():
    with Host(TOOLS / "broken") as host:
        found = {each.path.name: each for each in host.diagnostics if each.severity == "error"}
        assert found["syntax.py"].code == "syntax_error"
        assert found["syntax.py"].line is not None
        assert found["syntax.py"].message
        assert "good" in {tool.source.path.stem for tool in host.tools}


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"a": 2}, "3"),
        ('{"a": 2, "b": 3}', "5"),
        (b'{"a": 2}', "3"),
        ({"a": "2"}, "3"),
        (MappingProxyType({"a": 2}), "3"),
    ],
)
def test_arguments_are_objects_text_or_bytes(host, arguments, text):
    assert host.call("add", arguments).text == text


@pytest.mark.parametrize("arguments", [None, "", "null", "{}", b"", {}, "[]"])
def test_no_arguments(host, arguments):
    assert host.call("once", arguments).text == "ran"


def test_objects_that_json_has_no_form_for_are_written_as_pydantic_does(host):
    from datetime import date

    assert host.call("same", {"value": date(2024, 2, 29)}).structured == "2024-02-29"


def test_arguments_that_json_cannot_hold_are_named_with_their_place(host):
    with pytest.raises(TypeError, match=r"\$\.value\[1\] is of type object") as raised:
        host.call("same", {"value": [1, object()]})
    assert raised.value.__cause__ is not None


@pytest.mark.parametrize("arguments", [5, ["a"], {"a"}, object()])
def test_arguments_of_another_kind_are_a_type_error(host, arguments):
    with pytest.raises(TypeError, match=r"dict, or JSON as str or bytes"):
        host.call("add", arguments)


def test_bytes_that_are_not_utf_8_are_a_value_error(host):
    with pytest.raises(ValueError, match="not UTF-8"):
        host.call("add", b"\xff")


def test_what_a_model_gets_wrong_is_a_failure_that_names_every_place(host):
    failure = host.call("meet", {"mss": 1, "ms": "x"}).failure
    assert failure is not None
    assert failure.kind == "invalid_arguments"
    assert [(each.pointer, each.code, each.suggestion) for each in failure.problems] == [
        ("/ms", "int_parsing", None),
        ("/mss", "unexpected_keyword_argument", "ms"),
    ]
    assert all(each.message.endswith(".") for each in failure.problems)
    assert failure.message == " ".join(f"{each.pointer}: {each.message}" for each in failure.problems)


def test_text_that_is_not_json_is_a_failure(host):
    failure = host.call("add", '{"a": ').failure
    assert failure is not None
    assert failure.kind == "invalid_json"


def test_a_repair_is_told(host):
    outcome = host.call("add", {"a": 1, "b": None})
    assert outcome.text == "2"
    assert [(each.pointer, each.rule) for each in outcome.repairs] == [("/b", "null_as_absent")]


def test_what_a_tool_writes_is_kept(capfd):
    with Host(DOOR) as host:
        outcome = host.call("talk")
    assert [(line.stream, line.text) for line in outcome.logs] == [
        ("stdout", "to stdout"),
        ("stderr", "to stderr"),
    ]
    assert capfd.readouterr() == ("", "")


def test_what_a_generator_writes_belongs_to_its_call(capfd):
    with Host(DOOR) as host:
        outcome = host.call("talk_while_yielding")
    assert outcome.structured == [0, 1]
    assert [line.text for line in outcome.logs] == ["item 0", "item 1"]
    assert capfd.readouterr() == ("", "")


def test_long_output_goes_to_a_file(tmp_path):
    with Host(DOOR, working_directory=tmp_path, offload_characters=100) as host:
        outcome = host.call("long", {"count": 5000}, call_id="../c 1")
    assert outcome.offload is not None
    assert outcome.offload.path == tmp_path / ".pegboard" / "tool-output" / "___c_1.txt"
    assert outcome.offload.path.read_text() == "x" * 5000
    assert outcome.offload.characters == 5000
    assert str(outcome.offload.path) in outcome.text
    assert len(outcome.text) < 5000


def test_a_tool_knows_its_call(host):
    assert host.call("who", call_id="c7").structured == {"call": "c7", "tool": "who"}
    ids = {host.call("who").call_id for _ in range(3)}
    assert len(ids) == 3


def test_a_wish_to_stop(host):
    outcome = host.call("enough", {"text": "that is all"})
    assert (outcome.stop, outcome.text, outcome.failure) == (True, "that is all", None)


def test_several_hosts_at_once_share_nothing():
    with Host(DOOR) as one, Host(DOOR) as other:
        one.call("meet", {"ms": 0})
        assert one.call("recall").structured == ["begins", "ends"]
        assert other.call("recall").structured == []


def test_a_host_is_shown_by_its_size(host):
    assert repr(host) == f"Host({len(host.tools)} tools)"
