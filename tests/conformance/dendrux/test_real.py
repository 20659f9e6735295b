"""The recorded rows once more, in an environment in which dendrux itself is installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .. import environment

VERSION = "0.4.1"


@pytest.mark.slow
def test_recorded_rows_with_the_real_package(tmp_path: Path) -> None:
    python, variables = environment.make(tmp_path, [f"dendrux=={VERSION}", "pytest>=8"])
    show = "import dendrux; print(dendrux.__version__)"
    shown = subprocess.run([python, "-c", show], check=True, capture_output=True, text=True, env=variables)
    assert shown.stdout.strip() == VERSION
    ran = subprocess.run(
        [
            python,
            "-m",
            "pytest",
            "-m",
            "not slow",
            "-p",
            "no:cacheprovider",
            "-q",
            str(Path(__file__).parent),
        ],
        capture_output=True,
        text=True,
        env=variables,
        cwd=tmp_path,
    )
    sys.stdout.write(ran.stdout)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr
    assert "differ on purpose, 0 failed" in ran.stdout
