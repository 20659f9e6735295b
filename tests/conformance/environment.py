"""Makes an environment of its own in which a real package is installed, with the pegboard that runs here."""

from __future__ import annotations

import os
import subprocess
import venv
from pathlib import Path

import pegboard


def make(folder: Path, *installs: list[str]) -> tuple[Path, dict[str, str]]:
    """The Python of a new environment after `pip install` with each list of arguments, and the variables to
    run it with.
    """
    venv.create(folder / "environment", with_pip=True)
    python = folder / "environment" / ("Scripts" if os.name == "nt" else "bin") / "python"
    for arguments in installs:
        subprocess.run([python, "-m", "pip", "install", "--quiet", *arguments], check=True)
    packages = folder / "packages"
    packages.mkdir()
    (packages / "pegboard").symlink_to(Path(pegboard.__file__).parent, target_is_directory=True)
    path = os.pathsep.join([str(packages), str(Path(__file__).parents[1])])
    return python, {**os.environ, "PYTHONPATH": path, "VIRTUAL_ENV": str(folder / "environment")}
