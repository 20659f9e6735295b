from installed_tools import installed
from pegboard import tool


@tool
def shared() -> str:
    return "shared"
