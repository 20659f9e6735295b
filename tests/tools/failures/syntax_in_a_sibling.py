from pegboard import tool

from ._unfinished import ANYTHING


@tool
def over_broken_sibling() -> str:
    return ANYTHING
