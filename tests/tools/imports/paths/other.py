import sys

from pegboard import tool

SEEN = [entry for entry in sys.path if "vendored" in str(entry)]


@tool
def seen() -> list[str]:
    return SEEN
