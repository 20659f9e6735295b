"""Lets schemathesis find out whether the HTTP door answers as its OpenAPI document says."""

import os
import signal
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "a-secret"
# Arguments that do not fit are answered with 200, since a failure is data; the checks for a 4xx do not apply.
NOT_CHECKED = "negative_data_rejection,positive_data_acceptance"
# One raises what its policy does not catch, which is answered with 500 by design; the other takes a minute.
NOT_CALLED = "/(abort|wait)/"

pytestmark = pytest.mark.slow


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a server over the tools that are served."""
    words = ["serve", "tests/tools/served", "--http", "127.0.0.1:0", "--token", TOKEN]
    process = subprocess.Popen(
        [sys.executable, "-m", "pegboard", *words], cwd=ROOT, stderr=subprocess.PIPE, text=True
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


def test_every_answer_is_as_the_document_says(server: str, tmp_path: Path) -> None:
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
    ran = subprocess.run(
        [folder / "schemathesis", "run", f"{server}/openapi.json", "--no-color", *words],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    assert "No issues found" in ran.stdout, ran.stdout
