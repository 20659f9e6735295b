"""A server made with the official Python SDK is a source, over standard streams and over HTTP."""

from __future__ import annotations

import asyncio
import json
import shlex
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import REPOSITORY
from test_serve_clients import python

from pegboard import Host

__all__ = ["python"]

pytestmark = pytest.mark.slow

SERVER = REPOSITORY / "tests" / "remote" / "servers" / "python_sdk.py"
PATIENCE = 60
NOTE = {"title": "a", "pages": [1, 2], "parent": {"title": "b", "pages": [], "parent": None}}


@contextmanager
def served(python: Path, door: str) -> Iterator[str]:
    """What a host is told of the server."""
    if door == "standard streams":
        yield shlex.join([str(python), str(SERVER)])
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen([python, SERVER, str(port)], stderr=subprocess.DEVNULL) as server:
        try:
            deadline = time.monotonic() + PATIENCE
            while socket.socket().connect_ex(("127.0.0.1", port)):
                assert server.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            server.terminate()


@pytest.mark.parametrize("door", ["standard streams", "http"])
def test_a_server_of_the_official_sdk_is_a_source(python: Path, door: str) -> None:
    with served(python, door) as server, Host(mcp=[server]) as host:
        tools = {tool.name: tool for tool in host.tools}
        assert list(tools) == ["store", "refuse", "drawing", "steps", "rest", "what_stopped"], (
            host.diagnostics
        )
        schema = tools["store"].parameters_schema
        assert schema["properties"]["note"] == {"$ref": "#/$defs/Note"}
        assert schema["title"] == "storeArguments"
        output = tools["store"].output_schema
        assert output is not None
        assert output["title"] == "Note"
        assert tools["store"].source.server
        exported = {tool["name"]: tool for tool in host.export("mcp").tools}
        assert exported["store"]["annotations"]["readOnlyHint"] is True

        # A model in quotes is mended before the server sees it, as for a tool of a file.
        stored = host.call("store", {"note": json.dumps(NOTE), "copies": 2})
        assert stored.failure is None, stored.text
        assert stored.structured == NOTE | {"pages": [1, 2, 1, 2]}
        assert [repair.pointer for repair in stored.repairs] == ["/note"]
        beyond = host.call("store", {"note": NOTE, "copies": 0})
        assert beyond.failure is not None
        assert beyond.failure.kind == "invalid_arguments"
        assert "/copies" in beyond.text
        refused = host.call("refuse", {"reason": "no more paper"})
        assert refused.failure is not None
        assert "no more paper" in refused.text
        assert [part["type"] for part in host.call("drawing").content] == ["image"]
        assert host.call("steps", {"count": 3}).text == "done"

        async def give_up() -> None:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(host.call_async("rest"), 1)

        asyncio.run(give_up())
        deadline = time.monotonic() + PATIENCE
        while "rest" not in host.call("what_stopped").text:
            assert time.monotonic() < deadline
            time.sleep(0.05)
