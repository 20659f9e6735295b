"""The recorded provider payloads: what of them comes from the definition and its strict copies."""

from __future__ import annotations

from typing import Any

import pytest

from pegboard.dialects.dendrux_anthropic import anthropic_copy

from ..verdicts import judge
from .cases import load_case
from .records import differences, plain, read

RECORDS = read("wire")
DIFFERENCES = differences("schema")


@pytest.mark.parametrize("key", RECORDS)
def test_payloads(key: str) -> None:
    record = RECORDS[key]
    tool = load_case(record["case"]).tool
    assert tool is not None
    payloads = _payloads(tool.definition)
    judge(key, {name: plain(record[name]) for name in payloads}, plain(payloads), DIFFERENCES)


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
