"""Reads the recorded answers of dendrux 0.4.1 (CPython 3.11, pydantic 2.14), and what differs on purpose."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..verdicts import Difference, read_differences
from .cases import REAL

HERE = Path(__file__).parent


def read(name: str) -> dict[str, dict[str, Any]]:
    """The records of one kind by key. `{"$float": "nan"}` stands for a number that JSON lacks."""
    lines = (HERE / "records" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    return {f"{name}_dendrux/{record.get('case') or record['id']}": record for record in records}


def differences(name: str) -> list[Difference]:
    """What differs on purpose. Where dendrux itself is installed, its own decorator makes the definitions."""
    always = read_differences(HERE / f"differences_{name}.json")
    of_maker = HERE / f"differences_{name}_{'real' if REAL else 'stand_in'}.json"
    return always + read_differences(of_maker) if of_maker.exists() else always


def plain(value: Any) -> Any:
    """JSON data with its numbers by kind: 1, 1.0 and true are three values of JSON and one of Python."""
    if isinstance(value, dict):
        return {key: plain(held) for key, held in value.items()}
    if isinstance(value, list):
        return [plain(held) for held in value]
    return f"{type(value).__name__} {value!r}" if isinstance(value, bool | float) else value
