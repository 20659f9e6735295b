"""Compares names, descriptions, schemas and policies with what the real packages say of the same files."""

from __future__ import annotations

import pytest

from pegboard.compat.finder import install

from ..verdicts import judge, read_differences
from .answers import FRAMEWORKS, answer
from .records import HERE, read, schema_answer

install("builtin")

DIFFERENCES = read_differences(HERE / "differences_schema.json")


@pytest.mark.parametrize(
    ("framework", "key"),
    [(framework, key) for framework in FRAMEWORKS for key in read(f"schema_{framework}")],
)
def test_a_schema_record(framework: str, key: str) -> None:
    record = read(f"schema_{framework}")[key]
    judge(key, schema_answer(record), answer(framework, record), DIFFERENCES)
