"""The recorded provider payloads: what of them comes from the definition and its strict copies."""

from __future__ import annotations

from typing import Any

import pytest
from dendrux_cases import REAL, load_case
from dendrux_differences import SCHEMAS
from dendrux_records import read, same
from dendrux_tally import judge

from pegboard.dialects.dendrux_anthropic import anthropic_copy

RECORDS = read("wire")


@pytest.mark.parametrize("record", RECORDS, ids=[record["case"] for record in RECORDS])
def test_payloads(record: dict[str, Any]) -> None:
    case = record["case"]
    tool = load_case(case).tool
    assert tool is not None
    payloads = _payloads(tool.definition)
    difference = SCHEMAS.get(case)
    if difference is not None and (difference.real_too or not REAL):
        # The payload is the recorded one around the schema that is right here.
        expected = _payloads({**tool.definition, "parameters_schema": difference.expected})
        judge("wire", case, _compared(payloads, expected), difference.reason)
    else:
        judge("wire", case, _compared(payloads, {name: record[name] for name in payloads}))


def _compared(payloads: dict[str, Any], expected: dict[str, Any]) -> str | None:
    wrong = (name for name in payloads if not same(payloads[name], expected[name]))
    return next((f"{name} is {payloads[name]}" for name in wrong), None)


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
