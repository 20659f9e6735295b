"""Tools that use the event loop as libraries do: clients that belong to a loop, time limits, groups of tasks."""

import asyncio

import aiohttp
import anyio
import httpx

from pegboard import Toolset, tool, tool_method


class Clients(Toolset):
    """Clients that live from call to call."""

    async def __aenter__(self):
        self.aiohttp = aiohttp.ClientSession()
        self.httpx = httpx.AsyncClient()
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.aiohttp.close()
        await self.httpx.aclose()

    @tool_method
    async def with_httpx(self, url: str) -> str:
        """Fetch with a client that was made in another call."""
        return (await self.httpx.get(url)).text

    @tool_method
    async def with_aiohttp(self, url: str) -> str:
        """Fetch with a session that was made in another call."""
        async with self.aiohttp.get(url) as response:
            return await response.text()


@tool
async def limited() -> str:
    """Run into a time limit of one's own, in the very first step."""
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(60)
    except TimeoutError:
        return "in time"
    return "late"


@tool
async def grouped() -> list[int]:
    """Run tasks in a group, from the very first step."""

    async def one(number: int) -> int:
        await asyncio.sleep(0)
        return number

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(number)) for number in range(3)]
    return [task.result() for task in tasks]


@tool
async def with_anyio() -> list[str]:
    """Use a group, a scope that is left in time, and a thread."""
    found: list[str] = []
    async with anyio.create_task_group() as group:
        group.start_soon(anyio.sleep, 0)
        found.append("group")
    with anyio.move_on_after(0.01):
        await anyio.sleep(60)
    found.append("scope")
    found.append(await anyio.to_thread.run_sync(lambda: "thread"))
    return found
