"""Runs the Python application under `examples/` as its reader would."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

TOLD = """\
lookup_indicator: Look up an indicator in an intel source.
sweep_indicators: Look up many indicators at once, and group them by verdict.
watch: Put an indicator on the watchlist.
report: Tell the verdict on every watched indicator.
{"indicator":"198.51.100.7","verdict":"malicious"}
invalid_arguments /severity
[{"indicator":"example.com","severity":"low","verdict":"benign"}]
{"malicious":["198.51.100.7"],"benign":["example.com"]}
"""


def test_the_python_host_runs_from_anywhere(tmp_path: Path) -> None:
    example = ROOT / "examples" / "python_host.py"
    ran = subprocess.run([sys.executable, example], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == TOLD
