"""Every recorded call: what reaches the function, and what the model is told."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

import pytest

from ..verdicts import judge
from .python_caller import Answer, PythonCaller
from .records import differences, read

RECORDS = read("calls")
DIFFERENCES = differences("calls")
CLOCK = ("183", "185", "186", "188")
"""Rows whose time limits only a running host keeps."""

caller = cache(PythonCaller)
"""The tools of one file; their state lives as long as a host's would."""


@pytest.mark.parametrize("key", RECORDS)
def test_call(key: str) -> None:
    record = RECORDS[key]
    if record["id"] in CLOCK:
        pytest.skip("the time limit is kept by a running host")
    tools = caller(record["file"])
    results = record.get("results", [record])
    if tools.has(record["tool"]):
        answers = [_form(tools.call(record["tool"], record["arguments"]), result) for result in results]
    else:
        answers = [{"outcome": "no such tool"}]
    judge(key, {"answers": [_recorded(result) for result in results]}, {"answers": answers}, DIFFERENCES)


def _recorded(result: dict[str, Any]) -> dict[str, Any]:
    return {name: result[name] for name in ("outcome", "success", "payload") if name in result}


def _form(answer: Answer, result: dict[str, Any]) -> dict[str, Any]:
    """The answer in the form of the recorded one, whose long texts are known by their ends and their hash."""
    payload: dict[str, Any] = {"text": answer.text, "len": len(answer.text)}
    recorded = result.get("payload", {})
    if "sha256" in recorded:
        head, tail = len(recorded["head"]), len(recorded["tail"])
        payload = {
            "len": len(answer.text),
            "sha256": hashlib.sha256(answer.text.encode()).hexdigest(),
            "head": answer.text[:head],
            "tail": answer.text[-tail:],
        }
    outcome = "executed" if answer.executed else "rejected_before_execution"
    return {"outcome": outcome, "success": answer.success, "payload": payload}
