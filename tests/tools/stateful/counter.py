"""A toolset whose sync methods would race if they ran at the same time."""

import asyncio
import time

from pegboard import Toolset, tool_method


class Counter(Toolset):
    """Counts, with a gap between reading and writing."""

    def __init__(self) -> None:
        """Start at nothing, in an attribute that no field declares."""
        self.cache: dict[str, int] = {}

    @tool_method
    def bump(self, name: str) -> int:
        """Add one."""
        seen = self.cache.get(name, 0)
        time.sleep(0.01)
        self.cache[name] = seen + 1
        return self.cache[name]

    @tool_method
    async def read(self, name: str) -> int:
        """Tell the count."""
        await asyncio.sleep(0)
        return self.cache.get(name, 0)
