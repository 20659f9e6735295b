import os

from pegboard import tool

SEEN = os.environ.get("CAPABILITY_ROOT")


@tool
def seen_root() -> str | None:
    return SEEN
