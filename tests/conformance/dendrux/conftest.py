"""Answers `import dendrux` for the recorded cases, and prints the verdicts."""

from __future__ import annotations

import pytest
from dendrux_tally import TALLIES

from pegboard.compat import finder


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: makes an environment of its own and installs packages")
    finder.install("auto")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for kind, tally in TALLIES.items():
        terminalreporter.section(f"dendrux {kind}")
        for row, reason in sorted(tally.differ.items()):
            terminalreporter.line(f"differs on purpose: {row}: {reason}")
        for row, need in sorted(tally.left.items()):
            terminalreporter.line(f"left to the host: {row}: {need}")
        terminalreporter.line(
            f"{tally.passed} passed, {len(tally.differ)} differ on purpose, {tally.failed} failed"
        )
