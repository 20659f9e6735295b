"""Libraries that need a task, a loop or a client of their own work inside tools."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from conftest import TOOLS

from pegboard import Host


class _Answer(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = b"served"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def url():
    with ThreadingHTTPServer(("127.0.0.1", 0), _Answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def host():
    with Host(str(TOOLS / "libraries")) as made:
        assert [found.code for found in made.diagnostics] == []
        yield made


@pytest.mark.parametrize("tool", ["with_httpx", "with_aiohttp"])
def test_a_client_lives_from_call_to_call(host, url, tool):
    outcomes = [host.call(tool, {"url": url}) for _ in range(3)]
    assert [(outcome.text, outcome.failure) for outcome in outcomes] == [("served", None)] * 3


@pytest.mark.parametrize(
    ("tool", "value"),
    [
        ("limited", "in time"),
        ("grouped", [0, 1, 2]),
        ("with_anyio", ["group", "scope", "thread"]),
    ],
)
def test_what_asks_for_the_task_finds_one(host, tool, value):
    outcome = host.call(tool)
    assert outcome.failure is None, outcome.failure
    assert outcome.structured == value
