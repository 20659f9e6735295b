"""A server made with the official Python SDK: on the port of its argument, else over standard streams."""

import asyncio
import sys
from typing import Annotated

from mcp.server import MCPServer
from mcp.server.mcpserver import Context, Image
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

server = MCPServer("notes")
stopped: list[str] = []


class Note(BaseModel):
    """A note and where it belongs."""

    title: str
    pages: list[int] = []
    parent: "Note | None" = None


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def store(note: Note, copies: Annotated[int, Field(ge=1, description="how many")] = 1) -> Note:
    """Store a note and give it back."""
    return note.model_copy(update={"pages": note.pages * copies})


@server.tool()
def refuse(reason: str) -> str:
    """Fail for a reason."""
    raise ToolError(reason)


@server.tool()
def drawing() -> Image:
    """Draw one dot."""
    return Image(data=b"\x89PNG\r\n\x1a\n", format="png")


@server.tool()
async def steps(count: int, context: Context) -> str:
    """Tell of every step."""
    for step in range(count):
        await context.report_progress(step + 1, count, f"step {step + 1}")
    return "done"


@server.tool()
async def rest() -> str:
    """Rest until cancelled."""
    try:
        await asyncio.sleep(600)
    except asyncio.CancelledError:
        stopped.append("rest")
        raise
    return "rested"


@server.tool()
def what_stopped() -> list[str]:
    """Name the tools that were cancelled."""
    return stopped


if sys.argv[1:]:
    server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
else:
    server.run()
