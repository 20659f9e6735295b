from b_defines import from_b

from installed_tools import installed, other_installed as renamed
from pegboard import tool

__all__ = ["own", "renamed"]


@tool
def own() -> str:
    return from_b()
