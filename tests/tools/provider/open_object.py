"""A tool whose schema leaves room for anything."""

from pegboard import tool


@tool
def put(key: str, meta: dict[str, object]) -> str:
    """Store what is known of a key."""
    return f"{key}:{len(meta)}"
