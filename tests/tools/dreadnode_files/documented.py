"""Parameters that are described in several ways."""

from typing import Annotated

from dreadnode import tool
from pydantic import Field


@tool
def go(mode: str, n: Annotated[int, "how many", Field(ge=1)], *, lim: int = 5) -> str:
    """Run it.

    Args:
        mode (str): One of:
            - "fast": quick
            - "deep": slow
    Keyword Args:
        lim: upper bound
    """
    return f"{mode} {n} {lim}"


@tool
def outside(x: Annotated[int, Field(alias="externalX", ge=1)]) -> int:
    """Takes a name of somebody else's."""
    return x
