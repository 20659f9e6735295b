from pegboard import tool

from .beside import VALUE


@tool
def inside() -> int:
    return VALUE
