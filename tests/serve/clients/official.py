"""Drives a server with the client of the official Python SDK; the words are its command, or its URL."""

import asyncio
import sys
import tempfile
from pathlib import Path

from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters


async def main(words: list[str]) -> None:
    """Ask for everything that a client of tools may ask."""
    server = (
        words[0] if words[0].startswith("http") else StdioServerParameters(command=words[0], args=words[1:])
    )
    told: list[tuple[float, float | None, str | None]] = []

    async def progress(done: float, total: float | None, message: str | None) -> None:
        told.append((done, total, message))

    async with Client(server) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools["weather"].output_schema["properties"]["t"]["type"] == "number"
        assert tools["counts"].input_schema["required"] == ["steps"]

        weather = await client.call_tool("weather", {})
        assert weather.structured_content == {"t": 1.5, "note": None}
        assert weather.content[0].text == '{"t":1.5,"note":null}'
        bad = await client.call_tool("weather", {"bad": True})
        assert bad.is_error
        assert "/t" in bad.content[0].text

        none = await client.call_tool("none", {})
        assert [block.text for block in none.content] == ["[]"]
        assert none.structured_content == {"result": []}
        assert [block.type for block in (await client.call_tool("shot", {})).content][-1] == "image"

        await client.call_tool("counts", {"steps": 3}, progress_callback=progress)
        assert told == [(1, 3, "step 1"), (2, 3, "step 2"), (3, 3, "step 3")], told

        failed = await client.call_tool("fails", {})
        assert failed.is_error
        assert "bad port 0" in failed.content[0].text
        refused = await client.call_tool("counts", {"steps": "many"})
        assert refused.is_error
        assert "/steps" in refused.content[0].text
        for name in ("no_such", "aborts"):
            try:
                await client.call_tool(name, {})
            except MCPError:
                pass
            else:
                raise AssertionError(f"{name} was answered")

        with tempfile.TemporaryDirectory() as folder:
            waiting = asyncio.ensure_future(client.call_tool("waits", {"folder": folder}))
            while not (Path(folder) / "begun").exists():
                await asyncio.sleep(0.01)
            waiting.cancel()
            while not (Path(folder) / "ended").exists():
                await asyncio.sleep(0.01)

        answers = await asyncio.gather(*(client.call_tool("counts", {"steps": step}) for step in range(50)))
        assert [answer.structured_content for answer in answers] == [{"result": step} for step in range(50)]


asyncio.run(asyncio.wait_for(main(sys.argv[1:]), 120))
