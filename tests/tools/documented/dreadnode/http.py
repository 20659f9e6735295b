"""An async function with a client of its own, and a toolset that makes one client on first use."""

import os
import typing as t

import httpx
from pydantic import PrivateAttr

import dreadnode
from dreadnode import tool


@tool
async def fetch_indicator(indicator: t.Annotated[str, "Indicator to look up"]) -> dict[str, str]:
    """Ask a service about an indicator."""
    async with httpx.AsyncClient(base_url=os.environ["INTEL_URL"]) as client:
        response = await client.get(f"/{indicator}")
        response.raise_for_status()
        return response.json()


class HttpTools(dreadnode.Toolset):
    """Fetches pages over one client."""

    _client: httpx.AsyncClient | None = PrivateAttr(default=None)

    def _ensure_client(self) -> httpx.AsyncClient:
        if self._client is None:
            self._client = httpx.AsyncClient(timeout=30)
        return self._client

    @dreadnode.tool_method(catch=[httpx.HTTPError])
    async def fetch(self, url: t.Annotated[str, "What to fetch"]) -> str:
        """Fetch a page."""
        response = await self._ensure_client().get(url)
        response.raise_for_status()
        return response.text
