"""What can be sent back to a model: numbers, any value, pictures, documents, failures."""

import base64
from typing import Any

from pegboard import Image, Resource, tool

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@tool
def add(a: int, b: int = 1) -> int:
    """Add two numbers."""
    return a + b


@tool
def same(value: Any) -> Any:
    """Return the value."""
    return value


@tool
def picture() -> Image:
    """Show one pixel."""
    return Image(PIXEL)


@tool
def document() -> Resource:
    """Hand a document over."""
    return Resource(b"%PDF-1.7", uri="file:///a.pdf")


@tool(name="shot.take")
def take(fail: bool = False) -> dict[str, int]:
    """Take something, unless it fails; the name is not one that every provider accepts."""
    if fail:
        raise RuntimeError("out of film")
    return {"taken": 1}
