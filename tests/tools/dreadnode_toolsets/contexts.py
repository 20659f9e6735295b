"""Toolsets that are context managers. What happens to them is noted in a file beside this one."""

from pathlib import Path

import dreadnode

NOTES = Path(__file__).with_name("notes.txt")


def note(what: str) -> None:
    with NOTES.open("a") as notes:
        notes.write(what + "\n")


class Connection(dreadnode.Toolset):
    async def __aenter__(self):
        note(f"{type(self).__name__} entered")
        return self

    async def __aexit__(self, *exception):
        note(f"{type(self).__name__} left")


class Query(Connection):
    @dreadnode.tool_method
    async def query(self, table: str) -> str:
        return f"{table}: {NOTES.read_text().count('Query entered')}"

    @dreadnode.tool_method
    def tables(self) -> list[str]:
        return ["users"]


class Unused(Connection):
    @dreadnode.tool_method
    async def never_called(self) -> None: ...


class Session(dreadnode.Toolset):
    def __enter__(self):
        note("Session entered")
        return self

    def __exit__(self, *exception):
        note("Session left")

    @dreadnode.tool_method
    def session(self) -> int:
        return NOTES.read_text().count("Session entered")
