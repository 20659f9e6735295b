from pegboard import tool

from .absent import ANYTHING


@tool
def sibling_less() -> str:
    return ANYTHING
