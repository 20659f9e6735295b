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

_PROBLEM = re.compile(r"^(?:(?P<place>\S+)\n)?  .+ \[type=(?P<code>\w+)[],]", re.MULTILINE)
_LIBRARY_WORDS = re.compile(r'<error type="(?P<kind>ValidationError|JSONDecodeError)">')


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
    # The package's `content` leaves out blocks of nothing but blanks, which it sends all the same.
    text = "\n".join(result["parts"]) if "parts" in result else result["text"]
    answer: dict[str, Any] = {"text": comparable(text)}
    if result.get("stop"):
        answer["stop"] = True
    if "error_type" in result:
        answer["failure"] = result["error_type"]
    return answer


def recorded_answer(record: dict[str, Any]) -> dict[str, Any]:
    """What a record says: one answer, or several where the same call was made several times."""
    answers = [call_answer(result) for result in record["results"]]
    return answers[0] if len(answers) == 1 else {"results": answers}


def comparable(text: Any) -> Any:
    """A text, but of the words of pydantic and `json` only what does not belong to their versions: the class
    of the error, and the places and kinds of what is wrong.
    """
    if not isinstance(text, str):
        return text
    words = _LIBRARY_WORDS.match(text)
    if words is None:
        return text
    if "\n" not in text:
        return [words["kind"]]
    lines = re.sub(r"(?m)^  ", "", text).partition("\n")[2].partition("\n")[2]
    return [words["kind"], *([match["place"] or "", match["code"]] for match in _PROBLEM.finditer(lines))]
