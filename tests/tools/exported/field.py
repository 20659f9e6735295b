"""Tools as people wrote them when a provider refused them, or a model called them in its own way."""

from enum import Enum
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AnyUrl, BaseModel, Field

from pegboard import tool


@tool(
    parameters={
        "type": "object",
        "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
        "anyOf": [{"required": ["id"]}, {"required": ["name"]}],
    }
)
def find(**given):
    """Finds an entry."""
    return sorted(given)


@tool
def grep(
    n: Annotated[int, Field(gt=0, multiple_of=5)], mode: Literal["x"], m: dict[str, int] | None = None
) -> str:
    """Searches."""
    return f"{n}{mode}{m}"


@tool(name="sheets.get/Range v2")
def sheets(cell: str) -> str:
    """Reads a cell."""
    return cell


@tool(name="a" * 70)
def long_named() -> str:
    """Has a long name."""
    return "ok"


@tool
def big(q: str) -> str:
    return q


big.function.__doc__ = ("lorem ipsum dolor " * 84)[:1500].rstrip() + "\n\nArgs:\n    q: the query\n"


@tool
def save(key: str, n: int = 3) -> str:
    """Saves."""
    return f"{key}:{n}"


@tool
def put(meta: dict[str, str]) -> str:
    """Puts."""
    return ",".join(meta)


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Point(BaseModel):
    x: int
    y: int = 0


@tool
def set_role(role: Annotated[Color, "new role"], site: AnyUrl) -> str:
    """Sets a role."""
    return f"{role.value} {site}"


@tool
def paint(c: Annotated[Color, "what to paint with"], pts: list[Point]) -> str:
    """Paints."""
    return c.value


class Node(BaseModel):
    kids: list["Node"] = []


@tool
def tree(node: Node) -> int:
    """Counts the levels."""
    return 1 + max((tree(kid) for kid in node.kids), default=0)


@tool
def total(xs: list[int]) -> int:
    """Adds up."""
    return sum(xs)


@tool
def corner(p: Point) -> int:
    """Adds both numbers."""
    return p.x + p.y


@tool
def echo(s: str, o: str | None = None, u: UUID | None = None) -> list:
    """Returns the texts."""
    return [s, o, str(u)]


@tool
def wait(ms: int) -> int:
    """Returns the number."""
    return ms


@tool
def read(path: str, limit: int = 100) -> str:
    """Reads."""
    return f"{path}:{limit}"


@tool
def given(a: int | None = None, s: str | None = None, n: int = 7, *, r: int) -> list:
    """Returns what arrived."""
    return [a, s, n, r]


@tool
def aliased(x: Annotated[int, Field(alias="externalX", ge=1)]) -> int:
    """Has one name outside and one inside."""
    return x
