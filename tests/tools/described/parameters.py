from enum import Enum
from typing import Annotated, Any, Callable, NotRequired, TypedDict, Unpack

from pydantic import BaseModel, Field

from pegboard import Context, tool


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Point(BaseModel):
    x: Annotated[int, "to the right"]
    y: int = 0


class Deep(BaseModel):
    tags: list[Annotated[str, "one tag"]] = []
    by_name: dict[str, Annotated[int, "a count"] | None] = {}
    pair: tuple[Annotated[int, "left"], Annotated[int, "right"]] = (0, 0)
    renamed: Annotated[int, "under another name", Field(alias="otherName")] = 0


class Row(TypedDict):
    key: str
    note: NotRequired[Annotated[str, "free text"]]


class Options(TypedDict):
    depth: int
    label: NotRequired[str]


class Opaque:
    pass


@tool
def paint(c: Annotated[Color, "what to paint with"], pts: list[Point]) -> str:
    return f"{c.value} {len(pts)}"


@tool
def alias(x: Annotated[int, Field(alias="externalX", ge=1)]) -> int:
    return x


@tool
def keywords(a: int, **extra: str) -> dict[str, Any]:
    return {"a": a, "extra": extra}


@tool
def open_keywords(**extra: Any) -> dict[str, Any]:
    return extra


@tool
def unpacked(a: int, **options: Unpack[Options]) -> dict[str, Any]:
    return {"a": a, "options": options}


@tool
def starred(first: int, second: int = 2, *args: int, key: str = "k") -> list[Any]:
    return [first, second, list(args), key]


@tool
def positional(a: int, b: int = 5, /, c: int = 6) -> list[int]:
    return [a, b, c]


@tool
def with_context(a: int, context: Context, b: int = 1) -> int:
    return a + b


@tool
def optional_context(a: int, ctx: Context | None = None) -> str:
    return type(ctx).__name__


@tool
def context_by_position(ctx: Context, /) -> str:
    return ctx.call_id


@tool
def row(row: Row) -> Row:
    return row


@tool
def deep(deep: Deep) -> Deep:
    return deep


@tool
def mutable(item: str, into: list[str] = []) -> list[str]:
    into.append(item)
    return into


@tool
def odd_defaults(
    nan: float = float("nan"),
    opaque: Any = Opaque(),
    color: Color = Color.BLUE,
    point: Point = Point(x=1),
    wrong: int = "not validated",
    nested: dict[str, float] = {"a": float("inf")},
) -> list[Any]:
    return [opaque is not None, color.value, point.x, wrong]


@tool
def callback(a: int, done: Callable[[int], None] = print) -> int:
    return a


@tool
def required_callback(done: Callable[[int], None]) -> int:
    return 1


@tool
def opaque_parameter(a: int, given: Opaque) -> int:
    return 1


@tool
def unannotated(a, b=3):
    return [a, b]


@tool
def raw(data: bytes) -> int:
    return len(data)


@tool(parameters={"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]})
def explicit(q, context: Context) -> str:
    """Search.

    Args:
        q: the query
    """
    return q
