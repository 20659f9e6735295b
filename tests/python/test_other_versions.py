"""The wheel works in every CPython from 3.11 on: the tests of hosts run in those that this machine has."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pegboard

pytestmark = pytest.mark.slow

HERE = Path(__file__).resolve().parent
FILES = [
    "test_host.py",
    "test_host_async.py",
    "test_host_awaitables.py",
    "test_host_exceptions.py",
    "test_host_runs.py",
    "test_host_stress.py",
]


def interpreter(version: str) -> str | None:
    """A Python of that version which really starts, or `None`."""
    versions = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"
    of_pyenv = sorted(str(path) for path in versions.glob(f"{version}.*/bin/python"))
    for python in [*of_pyenv, shutil.which(f"python{version}")]:
        if python is not None:
            done = subprocess.run([python, "-c", "import venv"], capture_output=True, check=False)
            if done.returncode == 0:
                return python
    return None


@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_hosts_work_in(version: str, tmp_path: Path) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"this machine has no Python {version}")
    if f"{sys.version_info.major}.{sys.version_info.minor}" == version:
        pytest.skip("the other tests run in it already")
    subprocess.run([python, "-m", "venv", tmp_path / "environment"], check=True)
    inside = str(tmp_path / "environment" / "bin" / "python")
    subprocess.run(
        [inside, "-m", "pip", "install", "--quiet", "pydantic", "pytest", "hypothesis", "uvloop"],
        check=True,
    )
    packages = tmp_path / "packages"
    packages.mkdir()
    (packages / "pegboard").symlink_to(Path(pegboard.__file__).parent)
    done = subprocess.run(
        [inside, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(str(HERE / file) for file in FILES)],
        env={**os.environ, "PYTHONPATH": str(packages)},
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
