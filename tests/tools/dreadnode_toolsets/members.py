"""What toolsets offer: fields, variants, overrides, instances, and each other."""

import dreadnode
from dreadnode.agents.tools import Tool
from pydantic import PrivateAttr
from typing_extensions import override


class Counter(dreadnode.Toolset):
    step: int = 1
    _count: int = PrivateAttr(default=0)

    @dreadnode.tool_method
    def inc(self, by: int) -> int:
        """Counts on."""
        self._count += by * self.step
        return self._count


class NeedsUrl(dreadnode.Toolset):
    url: str

    @dreadnode.tool_method
    def get(self) -> str:
        return self.url


class Reader(dreadnode.Toolset):
    variant: str | None = "read"

    @dreadnode.tool_method(variants=["read"])
    def look(self) -> str:
        return "look"

    @dreadnode.tool_method(variants=["write"])
    def change(self) -> str:
        return "change"


class Base(dreadnode.Toolset):
    @dreadnode.tool_method
    def act(self) -> str:
        return "base"

    @dreadnode.tool_method
    def keep(self) -> str:
        return "kept"


class Child(Base):
    @override
    @dreadnode.tool_method
    def act(self) -> str:
        return "child"


class Pair(dreadnode.Toolset):
    first: int
    second: int

    @dreadnode.tool_method
    def add(self) -> int:
        return self.first + self.second


class Group(dreadnode.Toolset):
    def get_tools(self, *, variant: str | None = None) -> list:
        def made(text: str) -> str:
            """Made by hand."""
            return text.upper()

        return [Pair(first=20, second=22), Tool.from_callable(made, name="made"), *super().get_tools()]

    @dreadnode.tool_method
    def own(self) -> str:
        return "own"


class Named(dreadnode.Toolset):
    label: str

    @dreadnode.tool_method
    def label_of(self) -> str:
        return self.label


named = Named(label="an instance")


class Plain:
    @dreadnode.tool
    def misplaced(self) -> str:
        return ""
