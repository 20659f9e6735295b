"""Every recorded call: what reaches the function, what the model is told."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from typing import Any

import pytest
from dendrux_callers import Answer, PythonCaller
from dendrux_cases import REAL
from dendrux_differences import CALLS, HOST_ONLY
from dendrux_records import read
from dendrux_tally import judge, leave

RECORDS = read("calls")

caller = cache(PythonCaller)
"""The caller of one file's tools; its state lives as long as the host's would."""


@pytest.mark.parametrize("record", RECORDS, ids=[record["id"] for record in RECORDS])
def test_call(record: dict[str, Any]) -> None:
    row = record["id"]
    need = HOST_ONLY.get(row)
    if need is not None:
        leave("calls", row, need)
        pytest.skip(f"only a host has {need}")
    tools = caller(record["file"])
    difference = CALLS.get(row)
    if difference is not None and REAL and not difference.real_too:
        difference = None
    if difference is not None:
        judge("calls", row, _other(tools, record, difference.expected), difference.reason)
        return
    problems = [
        _compared(tools.call(record["tool"], record["arguments"]), wanted)
        for wanted in record.get("results", [record])
    ]
    judge("calls", row, next(filter(None, problems), None))


def _other(tools: PythonCaller, record: dict[str, Any], expected: Any) -> str | None:
    """What is wrong with an answer that differs on purpose."""
    if expected is None:
        return "there is such a tool" if tools.has(record["tool"]) else None
    text = tools.call(record["tool"], record["arguments"]).text
    right = text == expected if isinstance(expected, str) else re.fullmatch(expected, text) is not None
    return None if right else f"the model is told {text}"


def _compared(answer: Answer, wanted: dict[str, Any]) -> str | None:
    if answer.executed is not (wanted["outcome"] == "executed") or answer.success is not wanted["success"]:
        return f"the outcome is {answer}"
    payload = wanted["payload"]
    if "text" in payload:
        right = answer.text == payload["text"]
    else:
        digest = hashlib.sha256(answer.text.encode()).hexdigest()
        right = (len(answer.text), digest) == (payload["len"], payload["sha256"])
    return None if right else f"the model is told {answer.text[:400]}"
