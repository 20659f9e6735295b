"""Reads the recorded answers of dendrux 0.4.1 on CPython 3.11 with pydantic 2.14."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent / "records"


def read(name: str) -> list[dict[str, Any]]:
    """The records of one file, in order. `{"$float": "nan"}` stands for a number that JSON lacks."""
    lines = (_FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line, object_hook=_number) for line in lines]


def _number(held: dict[str, Any]) -> Any:
    return float(held["$float"]) if held.keys() == {"$float"} else held


def same(one: Any, other: Any) -> bool:
    """Equality of JSON values: 1 and 1.0 and true are three things, and a NaN equals a NaN."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    return type(one) is type(other) and bool(one == other)
