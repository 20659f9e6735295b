import sys

from pegboard import tool


@tool
def exiting() -> str:
    return "never"


sys.exit(5)
