"""Owns what pegboard answers to a call record, in the form of the recorded answer.

Must not need pytest: it also runs in an environment that has nothing but the real package.
"""

from __future__ import annotations

import hashlib
from typing import Any

from pegboard.runtime.bound import BoundTool

from . import cases, described
from .answers import FRAMEWORKS
from .python_caller import Outcome, call
from .records import call_answer

OFFLOADED_OVER = 30_000


def recorded_answer(record: dict[str, Any]) -> dict[str, Any]:
    """What a record says: one answer, or several where the same call was made several times."""
    answers = [call_answer(result) for result in record["results"]]
    return answers[0] if len(answers) == 1 else {"results": answers}


def given_answer(framework: str, record: dict[str, Any]) -> dict[str, Any]:
    """What the tool of a record answers."""
    tool = tools(framework, record["file"])[record["tool"].rpartition(".")[2]]
    answers = [answer(tool, call(tool, record["arguments"]), result) for result in record["results"]]
    return answers[0] if len(answers) == 1 else {"results": answers}


def tools(framework: str, file: str) -> dict[str, BoundTool]:
    """The tools of a case file by name; toolsets are built anew, so that no record sees another's state."""
    module = cases.module("calls", file)
    return {
        item.name: item
        for name, value in described.tool_objects(module)
        for item in described.describe(value, name, module, FRAMEWORKS[framework])
        if isinstance(item, BoundTool)
    }


def answer(tool: BoundTool, outcome: Outcome, result: dict[str, Any]) -> dict[str, Any]:
    """The outcome in the form of the recorded answer."""
    if outcome.raised is not None:
        return {"raised": outcome.raised}
    if outcome.failure is not None:
        return failure(outcome, result)
    assert outcome.text is not None
    recorded = call_answer(result).get("text")
    return {
        "text": as_cut(tool, outcome.text, recorded),
        **({"stop": True} if outcome.stop else {}),
    }


def failure(outcome: Outcome, result: dict[str, Any]) -> dict[str, Any]:
    if outcome.problems:
        return {"failure": outcome.failure, "problems": [list(problem) for problem in outcome.problems]}
    if "message" not in call_answer(result):
        return {"failure": outcome.failure}
    return {"failure": outcome.failure, "message": outcome.message}


def as_cut(tool: BoundTool, text: str, recorded: Any) -> Any:
    """A text in the form of the recorded one, which may be shortened or, if long, known by its ends and its
    hash.

    Where the tool's policy has the host shorten it, the ends that are left have to be those of the text.
    """
    limit = tool.policy["truncate"]
    if isinstance(recorded, str):
        if limit is None or len(text) <= limit:
            return text
        head, _, tail = recorded.partition("...")
        return recorded if text.startswith(head) and text.endswith(tail) else text
    if not isinstance(recorded, dict):
        return text
    head, tail = text[: len(recorded["head"])], text[-len(recorded["tail"]) :]
    if len(text) > (limit or OFFLOADED_OVER) and (limit is not None or tool.policy["offload"] is not None):
        return {**recorded, "head": head, "tail": tail}
    digest = hashlib.sha256(text.encode()).hexdigest()
    return {"len": len(text), "sha256": digest, "head": head, "tail": tail}
