"""Runs the command of the wheel, which works inside the running interpreter, unlike the binary."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = str(Path(sys.executable).parent / "pegboard")
INTERRUPTED = "tests/tools/terminal/interrupted.py"


def run(*words: str, program: tuple[str, ...] = (SCRIPT,)) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*program, *words], cwd=ROOT, capture_output=True, text=True, timeout=60)


def test_the_script_and_the_module_are_one_command() -> None:
    script, module = run("--help"), run("--help", program=(sys.executable, "-m", "pegboard"))
    assert (script.returncode, script.stdout) == (module.returncode, module.stdout) == (0, script.stdout)
    assert "Usage: pegboard [OPTIONS] <COMMAND>" in script.stdout


def test_the_status_is_the_commands_own() -> None:
    assert run("list", "tests/tools/stateful").returncode == 0
    assert run("list", "tests/tools/absent").returncode == 1
    assert run("list", "--timeout", "soon").returncode == 2


def test_only_the_answer_reaches_standard_output() -> None:
    ran = run("call", "tests/tools/terminal/streams.py", "noisy")
    assert (ran.returncode, ran.stdout) == (0, "the answer\n")
    assert "from the descriptor\n" in ran.stderr


@pytest.mark.parametrize("tool", ["sleep", "spin", "hold", "block"])
def test_control_c_ends_the_command_whatever_its_tool_does(tool: str) -> None:
    """Each tool would run for a minute and then succeed, so waiting for it would end with another status."""
    command = [SCRIPT, "call", INTERRUPTED, tool]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stderr is not None
        assert child.stderr.readline() == "begun\n"
        child.send_signal(signal.SIGINT)
        told, messages = child.communicate()
    assert (child.returncode, told) == (130, "")
    assert "Traceback" not in messages
