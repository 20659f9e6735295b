"""Answers `import dendrux` for the recorded cases, by the real package where it is installed."""

from __future__ import annotations

import pytest

from pegboard.compat import finder


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: makes an environment of its own and installs packages")
    finder.install("auto")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "slow" in config.option.markexpr:
        return
    for item in items:
        if item.get_closest_marker("slow") is not None:
            item.add_marker(pytest.mark.skip(reason="installs packages; run it with -m slow"))
