"""Counts what the conformance tests find, and prints it with every purposeful difference."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

if importlib.util.find_spec("pegboard") is None:  # not installed: all but hosts can be tested
    sys.path.insert(0, str(Path(__file__).parents[2] / "python"))

from .verdicts import TALLY


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None] | None:
    if not TALLY.compared:
        return
    terminalreporter.section("conformance")
    for line in TALLY.lines():
        terminalreporter.write_line(line)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: installs packages; runs only when asked for with -m slow")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("markexpr"):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]
