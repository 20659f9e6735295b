"""Owns the recorded answers: reading them, and bringing recorded texts into the form in which answers are
compared.

Wordings that belong to a version of Python or pydantic are not compared; kinds, places and everything else
are.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent

_PROBLEM = re.compile(r"^(?:(?P<place>\S*)\n)?  .+ \[type=(?P<code>\w+),", re.MULTILINE)
_STARTED = re.compile(r"\d+ validation errors? for call\[")
_LIBRARY_WORDS = frozenset({"ValidationError", "JSONDecodeError"})


@cache
def read(name: str) -> dict[str, dict[str, Any]]:
    """The records of a file by key: the case, with the variable and a number where one case has several."""
    lines = (HERE / "records" / f"{name}.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    names = [record.get("case") or record["id"] for record in records]
    keyed: dict[str, dict[str, Any]] = {}
    for name_, record in zip(names, records, strict=True):
        key = f"{name}/{name_}"
        if names.count(name_) > 1:
            key += f" {record['variable']}"
        record["position"] = sum(known.startswith(key) for known in keyed)
        keyed[f"{key} #{record['position'] + 1}" if key in keyed else key] = record
    return keyed


def schema_answer(record: dict[str, Any]) -> dict[str, Any]:
    """What a schema record says, aspect by aspect."""
    if "error_type" in record:
        return {"rejected": True}
    aspects = ("name", "description", "schema", "catch", "truncate")
    answer = {aspect: record.get(aspect) for aspect in aspects}
    return {**answer, "order": list(record["schema"].get("properties", ()))}


def call_answer(result: dict[str, Any]) -> dict[str, Any]:
    """What one recorded call says, aspect by aspect."""
    if result.get("never_returned"):
        return {"never_returned": True}
    if "raised" in result:
        return {"raised": result["raised"]}
    if "error_type" in result:
        return _failure(result)
    # The package's `content` leaves out blocks of nothing but blanks, which it sends all the same.
    text = "\n".join(result["parts"]) if "parts" in result else result["text"]
    return {"text": text, **({"stop": True} if result.get("stop") else {})}


def _failure(result: dict[str, Any]) -> dict[str, Any]:
    kind = result["error_type"]
    message = result.get("error")
    if message is None and isinstance(result["text"], str):
        message = re.sub(r"^<error[^>]*>|</error>$", "", result["text"])
        message = re.sub(r"(?m)^  ", "", message).strip()
    if message is not None and _STARTED.match(message):
        found = _PROBLEM.finditer(message.partition("\n")[2])
        return {"failure": kind, "problems": [[match["place"] or "", match["code"]] for match in found]}
    if message is None or kind in _LIBRARY_WORDS:
        return {"failure": kind}
    return {"failure": kind, "message": message}
