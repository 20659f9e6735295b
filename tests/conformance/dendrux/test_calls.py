"""Every recorded call: what reaches the function, and what the model is told."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from ..verdicts import judge
from .host_caller import Answer, HostCaller
from .records import differences, read

RECORDS = read("calls")
DIFFERENCES = differences("calls")


@pytest.mark.parametrize("key", RECORDS)
def test_call(key: str, tmp_path: Path) -> None:
    record = RECORDS[key]
    results = record.get("results", [record])
    with HostCaller(record["file"], tmp_path) as tools:
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
        payload = _by_its_ends(answer.text, recorded)
    outcome = "executed" if answer.executed else "rejected_before_execution"
    form = {"outcome": outcome, "success": answer.success, "payload": payload}
    return form if answer.whole is None else {**form, "file": _by_its_ends(answer.whole, recorded)}


def _by_its_ends(text: str, recorded: dict[str, Any]) -> dict[str, Any]:
    return {
        "len": len(text),
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "head": text[: len(recorded["head"])],
        "tail": text[-len(recorded["tail"]) :],
    }
