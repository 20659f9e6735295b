"""Counts verdicts over the recorded rows, and keeps the reason of every answer that differs on purpose."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Difference:
    """An answer that differs from the recorded one on purpose."""

    reason: str
    expected: Any
    """The answer that is right here."""
    real_too: bool = True
    """Whether it differs with the real package as well, whose own decorator makes the definitions."""


@dataclass
class Tally:
    """The verdicts of one kind of record."""

    passed: int = 0
    failed: int = 0
    differ: dict[str, str] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)
    """Rows that only a running host can answer, with what it takes."""


TALLIES: dict[str, Tally] = {}


def judge(kind: str, row: str, problem: str | None, reason: str | None = None) -> None:
    """Counts one row; a problem fails the test that asks."""
    tally = TALLIES.setdefault(kind, Tally())
    if problem is not None:
        tally.failed += 1
        raise AssertionError(f"{kind} {row}: {problem}")
    if reason is None:
        tally.passed += 1
    else:
        tally.differ[row] = reason


def leave(kind: str, row: str, need: str) -> None:
    """Counts a row that has to wait for a host."""
    TALLIES.setdefault(kind, Tally()).left[row] = need
