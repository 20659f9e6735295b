"""Owns how the value of a dreadnode or rigging tool becomes the text for the model.

The forms are those of the frameworks: plain values as Python writes them, everything else as compact JSON,
and what has no JSON form as its own text. A text that shows a memory address is none, and the value is
refused.
"""

from __future__ import annotations

import base64
import re
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from pydantic_core import SchemaSerializer, core_schema

from pegboard.runtime.bound import Rendered

_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]+")
_ANY = SchemaSerializer(core_schema.any_schema())
_PLAIN = frozenset({dict, tuple, set, frozenset, bool, int, type(None)})
"""What needs no look at its class."""


def render(value: object) -> bytes | str | Rendered:
    """Writes a value as the frameworks write it.

    Raises whatever says why the value has no text, and an exception that the tool returned to end the run.
    """
    kind = type(value)
    if kind is str:
        return value  # type: ignore[return-value]
    if kind is float:
        text = str(value)
        return Rendered(text, b"null") if text in ("nan", "inf", "-inf") else text.encode()
    if kind is list:
        if value and all(_is_block(type(item)) for item in value):  # type: ignore[attr-defined]
            return _shown([block for item in value for block in _blocks(item)])  # type: ignore[attr-defined]
    elif kind not in _PLAIN:
        convert = _converter(kind)
        if convert is not None:
            return convert(value)
    return _as_json(value)


def _as_json(value: object) -> bytes | str:
    try:
        return _ANY.to_json(value)
    except Exception:  # whatever stands in the way, the value may have a text of its own
        text = str(value)
        if _ADDRESS.search(text) or _has_lone_surrogate(value):
            raise
        return text


def _has_lone_surrogate(value: object) -> bool:
    if isinstance(value, str):
        return any("\ud800" <= character <= "\udfff" for character in value)
    if isinstance(value, dict):
        return any(_has_lone_surrogate(item) for pair in value.items() for item in pair)
    if isinstance(value, list | tuple | set | frozenset):
        return any(_has_lone_surrogate(item) for item in value)
    return False


def _shown(blocks: list[dict[str, Any]]) -> Rendered:
    """Blocks as text, and those that are not text beside it."""
    texts = [block["text"] for block in blocks if block["type"] == "text" and block["text"].strip()]
    return Rendered("\n".join(texts), None, tuple(block for block in blocks if block["type"] != "text"))


# Neither the stand-ins nor the real packages may be imported here, so the classes are looked for where they
# stand. A value of such a class proves that its module is there.
_CLASSES = (
    ("pegboard.compat.errors", ("Stop",), "stop"),
    ("dreadnode.generators.exceptions", ("Stop",), "stop"),
    ("rigging.error", ("Stop",), "stop"),
    (
        "pegboard.compat.message",
        ("ContentText", "ContentImageUrl", "ContentAudioInput", "ContentVideoUrl"),
        "block",
    ),
    (
        "dreadnode.generators.message",
        ("ContentText", "ContentImageUrl", "ContentAudioInput", "ContentVideoUrl"),
        "block",
    ),
    ("rigging.message", ("ContentText", "ContentImageUrl", "ContentAudioInput"), "block"),
    ("pegboard.compat.message", ("Message",), "message"),
    ("dreadnode.generators.message", ("Message",), "message"),
    ("rigging.message", ("Message",), "message"),
    ("pegboard.compat.errors", ("ErrorModel",), "model"),
    ("dreadnode.generators.models", ("XMLModel",), "model"),
    ("rigging.model", ("Model",), "model"),
    ("pegboard.compat.values", ("Text", "Media", "Table", "WithMeta"), "typed"),
    ("dreadnode.core.types", ("DataType",), "typed"),
    ("dreadnode.data_types", ("DataType",), "typed"),
)


_KINDS = {f"dreadnode.{name}.bytes": name.lower() for name in ("Image", "Audio", "Video")}
"""The first half of a media type, by what the package says a value is."""


@lru_cache(maxsize=1024)
def _role(kind: type) -> str | None:
    for module, names, role in _CLASSES:
        known = vars(sys.modules[module]) if module in sys.modules else {}
        if any(issubclass(kind, known[name]) for name in names if isinstance(known.get(name), type)):
            return role
    return None


def _is_block(kind: type) -> bool:
    return kind not in _PLAIN and _role(kind) == "block"


def _converter(kind: type) -> Callable[[Any], bytes | str | Rendered] | None:
    role = _role(kind)
    return None if role is None else _CONVERTERS[role]


def _raise(value: BaseException) -> Rendered:
    raise value


def _of_block(value: Any) -> Rendered:
    return _shown(list(_blocks(value)))


def _of_message(value: Any) -> Rendered:
    return _shown([block for part in value.content_parts for block in _blocks(part)])


def _of_model(value: Any) -> Rendered:
    return Rendered(value.to_pretty_xml())


def _of_typed(value: Any) -> bytes | str | Rendered:
    data, details = value.to_serializable()
    if isinstance(data, bytes):
        kind = _KINDS.get(str(details.get("x-python-datatype")), "application")
        media_type = f"{kind}/{details.get('format') or 'octet-stream'}"
        return _shown([_binary(media_type, base64.b64encode(data).decode("ascii"))])
    return data if isinstance(data, str) else _as_json(data)


_CONVERTERS: dict[str, Callable[[Any], bytes | str | Rendered]] = {
    "stop": _raise,
    "block": _of_block,
    "message": _of_message,
    "model": _of_model,
    "typed": _of_typed,
}


def _blocks(part: Any) -> Iterator[dict[str, Any]]:
    """A content object of a framework in the host's shape."""
    kind = part.type
    if kind == "text":
        yield {"type": "text", "text": part.text}
    elif kind == "image_url":
        header, _, data = part.image_url.url.partition(",")
        if header.startswith("data:"):
            yield _binary(header[5:].partition(";")[0], data)
        else:
            yield {"type": "resource", "mime_type": "image/*", "uri": part.image_url.url, "data": None}
    elif kind == "input_audio":
        yield _binary(f"audio/{part.input_audio.format}", part.input_audio.data)
    else:
        yield _binary(part.file.mimetype or "video/mp4", part.file.file_data.rpartition(",")[2])


def _binary(media_type: str, data: str) -> dict[str, Any]:
    kind = media_type.partition("/")[0]
    if kind in ("image", "audio"):
        return {"type": kind, "mime_type": media_type, "data": data}
    return {"type": "resource", "mime_type": media_type, "uri": None, "data": data}
