from pegboard import tool

from ._imports_missing_package import ANYTHING


@tool
def dependent_deeper() -> str:
    return ANYTHING
