"""Owns telling what bytes are from how they begin, and putting them into content blocks."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

__all__ = ["block", "media_type"]

_STARTS = (
    (b"\x89PNG", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"ID3", "audio/mpeg"),
    (b"\xff\xfb", "audio/mpeg"),
    (b"OggS", "audio/ogg"),
    (b"fLaC", "audio/flac"),
    (b"%PDF-", "application/pdf"),
)
_UNKNOWN = "application/octet-stream"


def media_type(data: bytes) -> str:
    """The media type of a file's bytes; `application/octet-stream` where the start says nothing."""
    for start, kind in _STARTS:
        if data.startswith(start):
            return kind
    if data[:4] == b"RIFF":
        return {b"WEBP": "image/webp", b"WAVE": "audio/wav"}.get(data[8:12], _UNKNOWN)
    return _UNKNOWN


def block(data: bytes, mime_type: str | None = None) -> dict[str, Any]:
    """The content block for a file's bytes: a picture, a sound, or a resource."""
    kind = mime_type or media_type(data)
    encoded = b64encode(data).decode("ascii")
    family = kind.partition("/")[0]
    if family in ("image", "audio"):
        return {"type": family, "mime_type": kind, "data": encoded}
    return {"type": "resource", "mime_type": kind, "uri": None, "data": encoded}
