"""Measures calls over standard input and output against a FastMCP server with the same tools, in one run.

`python tests/bench/serve_stdio.py [COMMAND]`, where COMMAND is an optimised `pegboard`, or this Python's own
if none is named. FastMCP goes into an environment of its own. Both servers get the same lines from the same
client, 64 calls at a time, in turns. It prints calls per second, their ratio, target and verdict, and
stops at any error.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 5
WINDOW = 64
TARGET = 5.0

FUNCTIONS = '''

DECORATOR
def lookup(indicator: str, limit: int = 10) -> dict[str, str]:
    """Look one up."""
    return {"indicator": indicator, "verdict": "malicious"}


DECORATOR
async def ping(number: int) -> int:
    """Return the number."""
    return number
'''
OURS = "from pegboard import tool\n" + FUNCTIONS.replace("DECORATOR", "@tool")
THEIRS = (
    "from fastmcp import FastMCP\nserver = FastMCP('bench')\n"
    + FUNCTIONS.replace("DECORATOR", "@server.tool")
    + "\nserver.run(transport='stdio', show_banner=False, log_level='ERROR')\n"
)


class Server:
    """A server process and the lines that go to it."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        client = {"name": "bench", "version": "1"}
        parameters = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        self.send([{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": parameters}])
        self.receive(1)
        self.send([{"jsonrpc": "2.0", "method": "notifications/initialized"}])

    def send(self, messages: list[dict[str, object]]) -> None:
        """Write messages at once."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    def receive(self, count: int) -> bytes:
        """Read until that many lines have come."""
        assert self.process.stdout is not None
        received = b""
        while received.count(b"\n") < count:
            chunk = self.process.stdout.read(1 << 16)
            if not chunk:
                raise SystemExit("the server is gone")
            received += chunk
        return received

    def calls_per_second(self, tool: str, arguments: dict[str, object], batches: int) -> float:
        """Call a tool, `WINDOW` times at a time."""
        call = {"method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        messages = [{"jsonrpc": "2.0", "id": number, **call} for number in range(1, WINDOW + 1)]
        started = time.perf_counter()
        for _ in range(batches):
            self.send(messages)
            answers = self.receive(WINDOW)
            if answers.count(b'"isError":true') or answers.count(b'"error":'):
                raise SystemExit(f"a call failed: {answers[:500]!r}")
        return WINDOW * batches / (time.perf_counter() - started)

    def close(self) -> None:
        """End the input, and wait for the end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(10)


def main() -> None:
    """Take turns and print the ratios."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tools").mkdir()
        (folder / "tools" / "tools.py").write_text(OURS, encoding="utf-8")
        (folder / "server.py").write_text(THEIRS, encoding="utf-8")
        subprocess.run([sys.executable, "-m", "venv", str(folder / "environment")], check=True)
        python = str(folder / "environment" / "bin" / "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", "fastmcp==4.2.3"], check=True)
        command = sys.argv[1:] or [sys.executable, "-m", "pegboard"]
        ours = Server([*command, "serve", str(folder / "tools")])
        theirs = Server([python, str(folder / "server.py")])
        for tool, arguments in (("lookup", {"indicator": "198.51.100.7"}), ("ping", {"number": 7})):
            rounds = [
                (theirs.calls_per_second(tool, arguments, 20), ours.calls_per_second(tool, arguments, 200))
                for _ in range(ROUNDS)
            ]
            ratio = statistics.median(mine / other for other, mine in rounds)
            other, mine = (statistics.median(side) for side in zip(*rounds, strict=True))
            verdict = "reached" if ratio >= TARGET else "missed"
            print(
                f"{tool}: {mine:.0f} calls/s, {ratio:.1f} times FastMCP ({other:.0f} calls/s)"
                f"  target {TARGET:.0f}: {verdict}"
            )
        ours.close()
        theirs.close()


if __name__ == "__main__":
    main()
