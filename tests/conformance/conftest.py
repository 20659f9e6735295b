"""Counts what the conformance tests find, and prints it with every purposeful difference."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PYTHON = Path(__file__).parents[2] / "python"
if str(PYTHON) not in sys.path:
    sys.path.insert(0, str(PYTHON))

from .verdicts import TALLY  # noqa: E402 - needs the path above


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None] | None:
    if not TALLY.compared:
        return
    terminalreporter.section("conformance")
    for line in TALLY.lines():
        terminalreporter.write_line(line)
