"""Owns what the tests of the Python door share: folders of tools, and scripts in processes of their own."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[1] / "tools"
DOOR = TOOLS / "door"
INTEL = Path(__file__).resolve().parents[2] / "examples" / "intel"


def start(script: str) -> subprocess.Popen[str]:
    """Runs a script in a Python of its own; `DOOR` is the folder of tools."""
    return subprocess.Popen(
        [sys.executable, "-c", f"DOOR = {str(DOOR)!r}\n{script}"],
        preexec_fn=heed_interrupts,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def heed_interrupts() -> None:
    """Undoes what a shell does to background jobs, whose children ignore Ctrl-C otherwise."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run(script: str) -> tuple[int, str, str]:
    """The exit status, output and error output of a script that has to end by itself."""
    process = start(script)
    try:
        output, errors = process.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return process.returncode, output, errors
