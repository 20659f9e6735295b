"""Runs the Python applications under `examples/` as their reader would."""

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

FAILED = (
    '{"error":{"kind":"raised","type":"LookupError",'
    '"message":"only 2 seats are left in the train to Bergen"}}'
)
LOOP = f"""\
openai
  temperature {{"city": "Oslo"}} -> 4.0
  temperature {{"city": "Bergen"}} -> 9.5
  book_train {{"destination": "Bergen", "seats": 3}} -> failed: {FAILED}
  Bergen is warmer, 9.5 °C to 4 °C. Only 2 seats are left in the train there, so I booked none.
anthropic
  temperature {{"city":"Oslo"}} -> 4.0
  temperature {{"city":"Bergen"}} -> 9.5
  book_train {{"destination":"Bergen","seats":3}} -> failed: {FAILED}
  Bergen is warmer, 9.5 °C to 4 °C. Only 2 seats are left in the train there, so I booked none.
"""


def run(example: str, folder: Path) -> str:
    """What an example prints when it is run in some folder."""
    path = ROOT / "examples" / example
    ran = subprocess.run([sys.executable, path], cwd=folder, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def test_the_python_host_runs_from_anywhere(tmp_path: Path) -> None:
    assert run("python_host.py", tmp_path) == TOLD


def test_the_agent_loop_answers_two_providers(tmp_path: Path) -> None:
    assert run("agent_loop/agent_loop.py", tmp_path) == LOOP
