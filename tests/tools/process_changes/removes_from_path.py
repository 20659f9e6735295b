import sys

from pegboard import tool

sys.path.clear()


@tool
def cleared() -> str:
    return "ok"
