"""Asks the HTTP door as the README says, and lets schemathesis find out whether it keeps to its document."""

import json
import os
import re
import signal
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "a-secret"
# Arguments that do not fit are answered with 200, since a failure is data; the checks for a 4xx do not apply.
NOT_CHECKED = "negative_data_rejection,positive_data_acceptance"
# One raises what its policy does not catch, which is answered with 500 by design; the other takes a minute.
NOT_CALLED = "/(abort|wait)/"


@contextmanager
def serving(*words: str) -> Iterator[str]:
    """The URL of a server that is started with these words on a free port."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pegboard", "serve", "--http", "127.0.0.1:0", *words],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        told = process.stderr.readline()
        assert "http://" in told, told + process.stderr.read()
        yield "http://" + told.rsplit("http://", 1)[1].strip()
    finally:
        process.send_signal(signal.SIGTERM)
        status = process.wait(timeout=30)
    assert status == 128 + signal.SIGTERM


def test_the_commands_of_the_readme_are_answered() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    place = re.search(r"serve examples/intel --http (\S+:\d+)`", readme)
    commands = re.findall(r"^curl .*$", readme, re.MULTILINE)
    assert place is not None
    assert len(commands) == 3
    with serving("examples/intel") as url:
        answers = [
            subprocess.run(
                ["bash", "-c", command.replace(f"http://{place[1]}", url).replace("curl", "curl -sSf", 1)],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for command in commands
        ]
    tools, tool, outcome = map(json.loads, answers)
    assert tool in tools["tools"]
    assert outcome["tool"] == tool["name"]
    assert outcome["failure"] is None


@pytest.mark.slow
def test_every_answer_is_as_the_document_says(tmp_path: Path) -> None:
    venv.create(tmp_path / "environment", with_pip=True)
    folder = tmp_path / "environment" / "bin"
    subprocess.run([folder / "python", "-m", "pip", "install", "--quiet", "schemathesis>=4,<5"], check=True)
    options = {
        "--header": f"Authorization: Bearer {TOKEN}",
        "--phases": "examples,coverage,fuzzing",
        "--max-examples": "20",
        "--exclude-checks": NOT_CHECKED,
        "--exclude-path-regex": NOT_CALLED,
        "--generation-database": "none",
    }
    words = [word for option in options.items() for word in option]
    with serving("tests/tools/served", "--token", TOKEN) as url:
        ran = subprocess.run(
            [folder / "schemathesis", "run", f"{url}/openapi.json", "--no-color", *words],
            cwd=tmp_path,
            env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
            capture_output=True,
            text=True,
            check=False,
        )
    assert ran.returncode == 0, ran.stdout
    assert "No issues found" in ran.stdout, ran.stdout
