"""Owns the three verdicts on a recorded answer (equal, different on purpose, wrong) and the count of each.

A purposeful difference stands in a file as a patch of the recorded answer, so what is expected instead is
tested too.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Difference:
    """One way in which pegboard answers differently on purpose."""

    row: str
    """The rule that demands it."""
    reason: str
    records: dict[str, Any]
    """By a record's key, what changes in its answer: a merge patch (RFC 7396), in which `{"$value": …}`
    stands for itself.
    """


def read_differences(path: Path) -> list[Difference]:
    return [Difference(**entry) for entry in json.loads(path.read_text("utf-8"))]


def patched(value: Any, patch: Any) -> Any:
    if not isinstance(patch, dict):
        return patch
    if patch.keys() == {"$value"}:
        return patch["$value"]
    result = dict(value) if isinstance(value, dict) else {}
    for key, change in patch.items():
        if change is None:
            result.pop(key, None)
        else:
            result[key] = patched(result.get(key), change)
    return result


@dataclass
class Tally:
    """The counts of one run."""

    equal: int = 0
    purposeful: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    differing: set[str] = field(default_factory=set)

    @property
    def compared(self) -> int:
        return self.equal + len(self.differing) + len(self.failed)

    def lines(self) -> list[str]:
        lines = [f"{self.equal} passed, {len(self.differing)} differ on purpose, {len(self.failed)} failed"]
        for (row, reason), keys in sorted(self.purposeful.items()):
            lines += [f"  {row}: {reason}", f"    {len(keys)}: {', '.join(sorted(keys))}"]
        return lines + [f"  failed: {key}" for key in self.failed]


TALLY = Tally()


def judge(key: str, recorded: dict[str, Any], actual: dict[str, Any], differences: list[Difference]) -> None:
    """Compares an answer with the recorded one, or with the one that purposeful differences make of it.

    A difference that is listed and is none has gone stale, and fails too.
    """
    named = [difference for difference in differences if key in difference.records]
    expected = recorded
    for difference in named:
        expected = patched(expected, difference.records[key])
    if actual != expected:
        TALLY.failed.append(key)
        raise AssertionError(f"{key}\nexpected {json.dumps(expected)}\nactual   {json.dumps(actual)}")
    if named and expected == recorded:
        TALLY.failed.append(key)
        raise AssertionError(f"{key} is listed as different on purpose and is equal")
    if not named:
        TALLY.equal += 1
        return
    TALLY.differing.add(key)
    for difference in named:
        TALLY.purposeful.setdefault((difference.row, difference.reason), []).append(key)
