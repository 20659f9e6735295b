"""The recorded provider payloads: from the definition and its strict copies, and as a host exports them."""

from __future__ import annotations

from typing import Any

import pytest

from pegboard import Host
from pegboard.dialects.dendrux_anthropic import anthropic_copy

from ..verdicts import judge
from .cases import CASES, load_case
from .records import differences, plain, read

RECORDS = read("wire")
DIFFERENCES = differences("schema")
EXPORT_DIFFERENCES = differences("wire")
PROVIDERS = {"openai_chat": "openai", "openai_responses": "openai-responses", "anthropic": "anthropic"}


@pytest.mark.parametrize("key", RECORDS)
def test_payloads(key: str) -> None:
    record = RECORDS[key]
    tool = load_case(record["case"]).tool
    assert tool is not None
    payloads = _payloads(tool.definition)
    judge(key, {name: plain(record[name]) for name in payloads}, plain(payloads), DIFFERENCES)


@pytest.mark.parametrize("key", RECORDS)
def test_exports(key: str) -> None:
    """The strictness is the author's, as in the record."""
    record = RECORDS[key]
    with Host(CASES / "schema" / f"{record['case']}.py", compat="builtin") as host:
        exported = {name: host.export(provider).tools for name, provider in PROVIDERS.items()}
    recorded = {name: _only(record[name]) for name in PROVIDERS}
    actual = {name: _only(tools) for name, tools in exported.items()}
    judge(f"export_{key}", recorded, actual, EXPORT_DIFFERENCES)


def _only(tools: list[dict[str, Any]]) -> dict[str, Any]:
    (tool,) = tools
    return tool


def _payloads(definition: dict[str, Any]) -> dict[str, Any]:
    """The payloads of three APIs for one tool, as their documents describe them."""
    head = {"name": definition["name"], "description": definition["description"]}
    schema = definition["parameters_schema"]
    strict = {"strict": True} if definition["flags"]["strict"] else {}
    function = {**head, "parameters": schema, **strict}
    copy, problem = anthropic_copy(schema)
    anthropic = {**head, "input_schema": schema}
    if strict and problem is None:
        anthropic = {**head, "input_schema": copy, **strict}
    return {
        "openai_chat": [{"type": "function", "function": function}],
        "openai_responses": [{"type": "function", **function}],
        "anthropic": [anthropic],
    }
