from typing import NotRequired, Required, TypedDict
from dendrux import tool


class Filter(TypedDict, total=False):
    since: Required[str]
    limit: int


class Other(TypedDict):
    a: int
    b: NotRequired[str]


@tool()
def query(flt: Filter, other: Other) -> str:
    """Required and NotRequired markers."""
    return repr((flt, other))
