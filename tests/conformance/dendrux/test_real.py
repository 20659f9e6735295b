"""The recorded rows once more, in an environment in which dendrux itself is installed."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import pegboard

VERSION = "0.4.1"


@pytest.mark.slow
def test_recorded_rows_with_the_real_package(tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    packages = [f"dendrux=={VERSION}", "pytest>=8"]
    subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    environment = {**os.environ, "PYTHONPATH": str(Path(pegboard.__file__).parents[1])}
    show = "import dendrux; print(dendrux.__version__)"
    shown = subprocess.run([python, "-c", show], check=True, capture_output=True, text=True, env=environment)
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
        env=environment,
        cwd=tmp_path,
    )
    sys.stdout.write(ran.stdout)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr
    assert "differ on purpose, 0 failed" in ran.stdout
