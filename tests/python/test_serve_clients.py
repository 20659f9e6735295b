"""The clients that people use drive the server: that of the official Python SDK, and FastMCP's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from conftest import REPOSITORY, TOOLS

pytestmark = pytest.mark.slow

CLIENTS = REPOSITORY / "tests" / "serve" / "clients"
SERVE = [sys.executable, "-m", "pegboard", "serve", str(TOOLS / "protocol")]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python that has both clients, and not pegboard."""
    environment = tmp_path_factory.mktemp("clients") / "environment"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    made = environment / "bin" / "python"
    subprocess.run([made, "-m", "pip", "install", "--quiet", "mcp==2.3.0", "fastmcp==4.2.3"], check=True)
    return made


def drive(python: Path, client: str, *server: str) -> None:
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        [python, CLIENTS / client, *server], env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("client", ["official.py", "fastmcp_client.py"])
def test_a_client_over_standard_streams(python: Path, client: str) -> None:
    drive(python, client, *SERVE)


@pytest.mark.parametrize("client", ["official.py", "fastmcp_client.py"])
def test_a_client_over_http(python: Path, client: str) -> None:
    with subprocess.Popen([*SERVE, "--http", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        told = next(line for line in server.stderr if "http://" in line)
        rest = threading.Thread(target=server.stderr.read)
        rest.start()
        try:
            drive(python, client, f"http://{told.rsplit('http://', 1)[1].strip()}/mcp")
        finally:
            server.send_signal(signal.SIGTERM)
            rest.join()
