from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, Optional

from pydantic import BaseModel, Field

from pegboard import Context, Toolset, tool, tool_method

if TYPE_CHECKING:
    from decimal import Decimal


@dataclass
class Job:
    name: str


class Node(BaseModel):
    kids: list[Node] = []


@tool
def run(job: Job, note: Optional[str] = None) -> Decimal:
    return job.name


@tool
def lost(job: Job, price: Decimal) -> str:
    return "never"


@tool
def many(
    context: Context,
    mode: Literal["a", "b"],
    node: Node,
    n: Annotated[int, "how many", Field(ge=1)] = 1,
    *,
    xs: list[Annotated[str, "one item"]] = [],
) -> list[Job]:
    return []


class Set(Toolset):
    class Inner(BaseModel):
        a: int

    @tool_method
    def inner(self, given: Inner) -> int:
        return given.a
