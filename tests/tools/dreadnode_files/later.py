from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Optional

from dreadnode import tool
from pydantic import BaseModel

if TYPE_CHECKING:
    from decimal import Decimal


@dataclass
class Job:
    name: str


class Node(BaseModel):
    kids: list["Node"] = []


@tool
def run_later(job: Job, note: Optional[str] = None) -> Decimal:
    return job.name


@tool
def lost(price: Decimal) -> str:
    return ""


@tool
def walk(root: Node) -> int:
    return 1 + sum(walk(kid) for kid in root.kids)
