from dataclasses import dataclass
from typing import TypedDict
from pydantic import BaseModel, Field
from dendrux import tool


class Leaf(BaseModel):
    n: int = Field(ge=0)
    note: str | None = None


class Tree(BaseModel):
    leaf: Leaf
    leaves: list[Leaf] = []


class Keyed(TypedDict):
    k: str


@dataclass
class Spot:
    x: int
    y: int = 2


@tool(strict=True)
def s(tree: Tree, td: Keyed, dc: Spot, many: list[Spot] | None = None) -> str:
    """Strict with nested objects."""
    return "ok"
