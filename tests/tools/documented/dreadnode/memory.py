"""A toolset that keeps what it has found in a plain attribute."""

import typing as t

import dreadnode


class IntelTools(dreadnode.Toolset):
    """Looks indicators up once."""

    def __init__(self) -> None:
        self.cache: dict[str, str] = {}

    @dreadnode.tool_method
    def remember(self, indicator: t.Annotated[str, "What to look up"]) -> dict[str, t.Any]:
        """Look an indicator up, or remember it."""
        known = indicator in self.cache
        self.cache.setdefault(indicator, "unknown")
        return {"indicator": indicator, "known": known}
