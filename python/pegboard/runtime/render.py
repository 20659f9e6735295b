"""Owns writing a tool's value: text as it is, bytes as content, everything else as compact JSON.

Must raise rather than write something else than the value: NaN as `null`, an object as its `repr`. Must not
cut or move long text; the host does.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from pydantic_core import to_json

from pegboard.authoring.content import Audio, Image, Resource

from .bound import Rendered
from .locate import UnwritableError, hides_non_finite
from .media import block

__all__ = ["NonFiniteError", "json_bytes", "render"]

_BINARY = (bytes, bytearray, memoryview)
_CONTENT = frozenset({Image, Audio, Resource})
_SHOWN = _CONTENT | {str, *_BINARY}
_TO_STANDARD = bytes.maketrans(b"-_", b"+/")
_N, _I, _LOWER_N, _DASH, _UNDERSCORE = b"NIn-_"


class NonFiniteError(ValueError):
    """The value holds NaN or infinity, for which JSON has no form."""


def render(value: object) -> bytes | str | Rendered:
    """Write `value`; raises whatever makes that impossible."""
    kind = type(value)
    if kind is dict:  # what most tools return
        return json_bytes(value)
    if isinstance(value, list | tuple) and (kind is list or kind is tuple):
        # The first item settles nearly every list, however long it is.
        if not value or type(value[0]) not in _SHOWN:
            return json_bytes(value)
        kinds = set(map(type, value))
        if kinds.isdisjoint(_CONTENT) or not kinds <= _SHOWN:
            return json_bytes(value)
        return _content(list(value))
    if isinstance(value, str):
        return str(value.value) if isinstance(value, Enum) else str.__str__(value)
    if kind in _CONTENT or isinstance(value, _BINARY):
        return _content([value])
    return json_bytes(value)


def json_bytes(value: object) -> bytes:
    """`value` as compact JSON in UTF-8, with nothing escaped that need not be."""
    data = to_json(value, bytes_mode="base64")
    # Runs at every call: looking for one byte takes 30 ns, so that goes before everything that takes longer.
    if (_N in data or _I in data) and _spells_non_finite(value, data):
        raise NonFiniteError("NaN and infinity are not JSON")
    if _LOWER_N in data and data.find(b"null") >= 0 and hides_non_finite(value):
        raise NonFiniteError("NaN and infinity are not JSON")
    if (_DASH in data or _UNDERSCORE in data) and to_json(value, bytes_mode="hex") != data:
        return _with_standard_base64(value)
    return data


def _spells_non_finite(value: object, data: bytes) -> bool:
    """Whether the words for such numbers stand for numbers; in a text they are only words."""
    if data.find(b"NaN") < 0 and data.find(b"Infinity") < 0:
        return False
    return to_json(value, bytes_mode="base64", inf_nan_mode="null") != data


def _with_standard_base64(value: object) -> bytes:
    """pydantic writes bytes in the alphabet for addresses; readers of `contentEncoding: base64` expect the
    other.
    """
    return to_json(_encoded(value))


def _encoded(value: Any) -> Any:
    if isinstance(value, _BINARY):
        return to_json(bytes(value), bytes_mode="base64")[1:-1].translate(_TO_STANDARD).decode("ascii")
    if isinstance(value, dict):
        return {key: _encoded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_encoded(item) for item in value]
    return value


def _content(items: list[Any]) -> Rendered:
    texts: list[str] = []
    blocks: list[dict[str, Any]] = []
    for item in items:
        if isinstance(item, str):
            texts.append(item)
            continue
        made = _block(item)
        blocks.append(made)
        texts.append(_label(made, item))
    return Rendered("\n".join(texts), None, tuple(blocks))


def _block(item: Any) -> dict[str, Any]:
    if isinstance(item, _BINARY):
        return block(bytes(item))
    if isinstance(item, Resource):
        made = block(item.data, item.mime_type) if item.data is not None else None
        return {
            "type": "resource",
            "mime_type": item.mime_type or (made["mime_type"] if made else "application/octet-stream"),
            "uri": item.uri,
            "data": made["data"] if made else None,
        }
    family = "image" if isinstance(item, Image) else "audio"
    made = block(item.data, item.mime_type)
    if made["type"] != family:
        reason = (
            f"the media type of its {family} cannot be told from the bytes; give it as mime_type='{family}/…'"
        )
        raise UnwritableError(reason)
    return made


def _label(made: dict[str, Any], item: Any) -> str:
    data = item if isinstance(item, _BINARY) else item.data
    size = f", {len(data)} bytes" if data is not None else ""
    where = f" {made['uri']}" if made.get("uri") else ""
    return f"[{made['mime_type']}{size}{where}]"
