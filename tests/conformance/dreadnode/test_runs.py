"""Compares whole runs with what the real package's agent made of the same calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..replay import log, recorded, replay
from ..verdicts import judge, read_differences
from .host_caller import host
from .records import HERE, read

RECORDS = read("runs_dreadnode")
DIFFERENCES = read_differences(HERE / "differences_runs.json")


@pytest.mark.parametrize("key", RECORDS)
def test_a_run(key: str, tmp_path: Path) -> None:
    record = RECORDS[key]
    with host("dreadnode", record["file"].removesuffix(".py"), tmp_path, "builtin") as made:
        answer = replay(made, record) | log(tmp_path, record)
        judge(key, recorded(record), answer, DIFFERENCES)
