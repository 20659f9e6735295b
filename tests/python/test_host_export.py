"""Exports through the Python door, for every provider."""

from __future__ import annotations

import json

import pytest
from hosts import DOOR, INTEL, TOOLS

from pegboard import Host, PegboardError

NAMES = {
    "openai": lambda tools: [tool["function"]["name"] for tool in tools],
    "openai-responses": lambda tools: [tool["name"] for tool in tools],
    "anthropic": lambda tools: [tool["name"] for tool in tools],
    "gemini": lambda tools: [each["name"] for tool in tools for each in tool["functionDeclarations"]],
    "bedrock": lambda tools: [tool["toolSpec"]["name"] for tool in tools],
    "mcp": lambda tools: [tool["name"] for tool in tools],
}


@pytest.mark.parametrize("provider", NAMES)
@pytest.mark.parametrize("source", [INTEL, DOOR, TOOLS / "documented"], ids=lambda path: path.name)
def test_every_tool_is_exported_and_can_be_sent(provider, source):
    with Host(source, compat="builtin") as host:
        exported = host.export(provider)
        assert NAMES[provider](exported.tools) == [tool.name for tool in host.tools]
        assert json.loads(json.dumps(exported.tools)) == exported.tools


def test_a_note_says_what_a_provider_cannot_express():
    with Host(TOOLS / "provider") as host:
        notes = host.export("openai").notes + host.export("gemini").notes
    assert notes
    for note in notes:
        assert note.tool in {"configure"} | {tool.name for tool in host.tools}
        assert note.change
        assert note.reason


def test_strict_is_demanded_or_refused():
    with Host(INTEL) as host:
        assert all(tool["function"]["strict"] for tool in host.export("openai", strict=True).tools)
    with Host(TOOLS / "provider") as host, pytest.raises(PegboardError, match="strict"):
        host.export("openai", strict=True)


def test_strict_can_be_had_where_it_is_possible():
    with Host(TOOLS / "exported") as host:
        exported = host.export("openai", strict="where_possible")
        with pytest.raises(ValueError, match="where_possible"):
            host.export("openai", strict="perhaps")
    strict = {tool["function"]["name"]: tool["function"]["strict"] for tool in exported.tools}
    assert strict["save"] is True
    assert strict["put"] is False
    assert [note.reason for note in exported.notes if note.change == "not_strict" and note.tool == "put"] == [
        "/meta is an open object"
    ]


def test_an_unknown_provider_is_a_value_error_that_lists_them():
    with Host(INTEL) as host, pytest.raises(ValueError, match="anthropic"):
        host.export("closedai")
