"""Drives a server with FastMCP's client; the words are the server's command, or its URL."""

import asyncio
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport


async def main(words: list[str]) -> None:
    """Ask for what this client makes of answers in its own way."""
    server = words[0] if words[0].startswith("http") else StdioTransport(words[0], words[1:])
    told: list[tuple[float, str | None]] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        told.append((done, message))

    async with Client(server, progress_handler=progress) as client:
        assert "letters" in {tool.name for tool in await client.list_tools()}
        weather = (await client.call_tool("weather", {})).data
        assert (weather.t, weather.note) == (1.5, None)
        letters = await client.call_tool("letters", {})
        assert letters.structured_content == {"result": ["a", "b"]}
        assert told == [(1.0, "a"), (2.0, "b")], told
        failed = await client.call_tool("fails", {}, raise_on_error=False)
        assert failed.is_error
        assert "bad port 0" in failed.content[0].text


asyncio.run(asyncio.wait_for(main(sys.argv[1:]), 120))
