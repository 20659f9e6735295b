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
from pegboard.runtime.locate import full_name
from pegboard.runtime.media import block

_DEPTH = 100
"""How far down the place of a fault is looked for."""

_encode = json.JSONEncoder(allow_nan=False).encode


def render(value: object) -> bytes | Rendered:
    """The value as JSON text, strings quoted and escaped to ASCII.

    NaN and infinity are written as `json.dumps` writes them, and then there is no structured value, because
    that is not JSON. Raises what `json.dumps` raises for a value that it cannot write.
    """
    try:
        return _encode(value).encode()
    except TypeError as error:
        if not _is_tool_output(value):
            raise TypeError(f"{_fault(value)}, which a dendrux tool cannot return") from error
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
    return block(data, image.media_type)


def _fault(value: object, path: str = "$", above: tuple[int, ...] = ()) -> str | None:
    """The first part of a value that `json` cannot write, with its place."""
    if value is None or isinstance(value, str | int | float):
        return None
    if id(value) in above or len(above) > _DEPTH:
        return f"{path} is nested too deep"
    if isinstance(value, dict):
        for key in value:
            if not (key is None or isinstance(key, str | int | float)):
                return f"{path} has a key of type {full_name(type(key))}"
        parts = [(f"{path}.{key}", part) for key, part in value.items()]
    elif isinstance(value, list | tuple):
        parts = [(f"{path}[{index}]", part) for index, part in enumerate(value)]
    else:
        return f"{path} is of type {full_name(type(value))}"
    inner = (_fault(part, step, (*above, id(value))) for step, part in parts)
    return next(filter(None, inner), None)
