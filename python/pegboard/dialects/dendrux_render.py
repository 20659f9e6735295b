"""Owns how a dendrux tool's value is written: `json.dumps` with its defaults, and pictures beside it.

Must not turn what JSON has no form for into text: that is an error, which the runner reports with the place
and the type.
"""

from __future__ import annotations

import base64
import json
import mimetypes
import sys
from pathlib import Path
from typing import Any

from pegboard.runtime.bound import Rendered

_encode = json.JSONEncoder(allow_nan=False).encode

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"RIFF", "image/webp"),
)


def render(value: object) -> bytes | Rendered:
    """The value as JSON text, strings quoted and escaped to ASCII.

    NaN and infinity are written as `json.dumps` writes them, and then there is no structured value, because
    that is not JSON. Raises what `json.dumps` raises for a value that it cannot write.
    """
    try:
        return _encode(value).encode()
    except TypeError:
        if not _is_tool_output(value):
            raise
    except ValueError:
        return Rendered(json.dumps(value))
    output: Any = value
    result = render(output.result)
    content = tuple(_block(image) for image in output.images)
    if isinstance(result, Rendered):
        return Rendered(result.text, result.structured, (*result.content, *content))
    return Rendered(result.decode(), result, content)


def _is_tool_output(value: object) -> bool:
    """Whether it is a `ToolOutput`, of dendrux's own class or of its stand-in's."""
    homes = ("dendrux.media", "dendrux", "pegboard.compat.dendrux.media")
    kinds = (vars(module).get("ToolOutput") for home in homes if (module := sys.modules.get(home)))
    return any(isinstance(kind, type) and isinstance(value, kind) for kind in kinds)


def _block(image: Any) -> dict[str, Any]:
    """A picture as a block of content. A reference into dendrux's own store cannot be followed."""
    source = getattr(image, "source", None)
    if source == "url":
        media_type = mimetypes.guess_type(image.url)[0] or "application/octet-stream"
        return {"type": "resource", "mime_type": media_type, "uri": image.url, "data": None}
    if source == "path":
        data = Path(image.path).read_bytes()
    elif source == "bytes":
        data = image.data
    elif source == "base64":
        data = base64.b64decode(image.text.rpartition(",")[2], validate=True)
    else:
        raise TypeError(
            f"a {type(image).__name__} names a picture in dendrux's store; return the picture as an Image"
        )
    media_type = _media_type(data) or image.media_type or "application/octet-stream"
    return {"type": "image", "mime_type": media_type, "data": base64.b64encode(data).decode()}


def _media_type(data: bytes) -> str | None:
    return next((media_type for start, media_type in _SIGNATURES if data.startswith(start)), None)
