"""Measures calls over HTTP against a FastMCP server with the same tool, in one run with the same client.

`python tests/bench/serve_http.py PEGBOARD LOAD`: the command `pegboard` and the client, both built by
`cargo build --release --bin pegboard --example http_load`. It makes an environment with FastMCP in a
temporary folder, loads one server after the other over 64 connections in several rounds, and prints medians,
their ratio, the target and a verdict. Only addresses of this machine are used.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

CONNECTIONS = 64
ROUNDS = 3
CALLS = 100_000
BASELINE_CALLS = 5_000
TARGET = 5.0
HOST = "127.0.0.1"

OURS = [
    ("pegboard, MCP with sessions", "/mcp", "mcp"),
    ("pegboard, MCP without sessions", "/mcp", "mcp-stateless"),
    ("pegboard, JSON API", "/api/tools/add/call", "json"),
]
TOOL = '''
from {package} import {name}

{before}

@{decorator}
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b

{after}
'''
ARGUMENTS = '{"a": 2, "b": 40}'


@dataclass(frozen=True)
class Server:
    """How a server is started, and how it is called."""

    name: str
    words: Sequence[str]
    port: int
    path: str
    protocol: str
    expected: str
    calls: int

    @property
    def address(self) -> str:
        return f"{HOST}:{self.port}"


@dataclass(frozen=True)
class Load:
    """What one round came to: calls per second and the 99th percentile in milliseconds."""

    rate: float
    p99: float
    errors: int


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        port: int = taken.getsockname()[1]
        return port


@contextmanager
def serving(server: Server) -> Iterator[None]:
    """Run the server until it is not needed any longer."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    process = subprocess.Popen(
        server.words, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(600):
            if process.poll() is not None:
                raise SystemExit(f"{server.name} ended with {process.returncode}")
            with socket.socket() as attempt:
                if attempt.connect_ex((HOST, server.port)) == 0:
                    break
            time.sleep(0.05)
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def load(client: Path, server: Server, calls: int) -> Load:
    """Load the server with calls."""
    words = [server.address, server.path, server.protocol, "add", ARGUMENTS, server.expected]
    ran = subprocess.run(
        [client, *words, str(calls), str(CONNECTIONS)], capture_output=True, text=True, check=True
    )
    told = json.loads(ran.stdout)
    if told["errors"]:
        print(f"{server.name}: {told['errors']} errors, such as {told['first_error']}")
    return Load(told["calls"] / told["seconds"], told["p99"] * 1000, told["errors"])


def servers(folder: Path, pegboard: Path) -> list[Server]:
    """Every server, with the same tool."""
    venv.create(folder / "environment", with_pip=True)
    python = folder / "environment" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "fastmcp", "pydantic"], check=True)
    ours = folder / "tools" / "added.py"
    ours.parent.mkdir()
    ours.write_text(
        TOOL.format(package="pegboard", name="tool", decorator="tool", before="", after=""), encoding="utf-8"
    )
    made = []
    for name, options in [
        ("FastMCP with sessions", ""),
        ("FastMCP without sessions", ", stateless_http=True, json_response=True"),
    ]:
        port = free_port()
        run = f'server.run(transport="http", host="{HOST}", port={port}, show_banner=False{options})'
        file = folder / f"fastmcp_{port}.py"
        text = TOOL.format(
            package="fastmcp",
            name="FastMCP",
            decorator="server.tool",
            before='server = FastMCP("added")',
            after=run.replace("server.run(", 'server.run(log_level="ERROR", '),
        )
        file.write_text(text, encoding="utf-8")
        words = [str(python), str(file)]
        made.append(Server(name, words, port, "/mcp", "mcp", '"text":"42"', BASELINE_CALLS))
    port = free_port()
    words = [str(pegboard), "serve", str(ours.parent), "--http", f"{HOST}:{port}", "--python", str(python)]
    for name, path, protocol in OURS:
        made.append(Server(name, words, port, path, protocol, '"text":"42"', CALLS))
    return made


def main() -> None:
    """Load all servers in turns and print the ratios."""
    pegboard, client = (Path(word).resolve() for word in sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        made = servers(Path(name), pegboard)
        rounds: dict[str, list[Load]] = {server.name: [] for server in made}
        for _ in range(ROUNDS):
            for server in made:
                with serving(server):
                    load(client, server, server.calls // 20)
                    rounds[server.name].append(load(client, server, server.calls))
    rates = {kind: statistics.median(one.rate for one in of_kind) for kind, of_kind in rounds.items()}
    for kind, of_kind in rounds.items():
        p99 = statistics.median(one.p99 for one in of_kind)
        print(f"{kind}: {rates[kind]:.0f} calls/s, p99 {p99:.2f} ms")
    baseline = max(rate for kind, rate in rates.items() if kind.startswith("FastMCP"))
    for kind, *_ in OURS:
        ratio = rates[kind] / baseline
        errors = sum(one.errors for one in rounds[kind])
        verdict = "reached" if ratio >= TARGET and not errors else "missed"
        print(f"{kind}: ratio {ratio:.1f} to the faster FastMCP, {errors} errors, target {TARGET}: {verdict}")


if __name__ == "__main__":
    main()
