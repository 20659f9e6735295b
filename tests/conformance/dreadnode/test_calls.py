"""Compares what calls yield with what the real packages answered to the same argument strings."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..verdicts import judge, read_differences
from .answers import FRAMEWORKS
from .host_caller import given_answer
from .records import HERE, read, recorded_answer

DIFFERENCES = read_differences(HERE / "differences_calls.json")


@pytest.mark.parametrize(
    ("framework", "key"), [(framework, key) for framework in FRAMEWORKS for key in read(f"calls_{framework}")]
)
def test_a_call_record(framework: str, key: str, tmp_path: Path) -> None:
    record = read(f"calls_{framework}")[key]
    judge(key, recorded_answer(record), given_answer(framework, record, tmp_path), DIFFERENCES)
