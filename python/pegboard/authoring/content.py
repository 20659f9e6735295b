"""Owns the values that a tool returns when text is not enough: pictures, sounds and other bytes.

Must not encode or measure anything; rendering does.
"""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Audio", "Image", "Resource"]


@dataclass(frozen=True, slots=True)
class Image:
    """A picture for the model."""

    data: bytes = field(repr=False)
    """The file's bytes, not base64."""
    mime_type: str | None = None
    """Its media type; read from the first bytes if absent."""


@dataclass(frozen=True, slots=True)
class Audio:
    """A sound for the model."""

    data: bytes = field(repr=False)
    """The file's bytes, not base64."""
    mime_type: str | None = None
    """Its media type; read from the first bytes if absent."""


@dataclass(frozen=True, slots=True)
class Resource:
    """Other bytes, or a reference to something elsewhere; at least one of `data` and `uri`."""

    data: bytes | None = field(default=None, repr=False)
    """The bytes, not base64."""
    uri: str | None = None
    """Where it is."""
    mime_type: str | None = None
    """Its media type; read from the first bytes if absent."""

    def __post_init__(self) -> None:
        """Refuse a resource that is nothing."""
        if self.data is None and self.uri is None:
            raise ValueError("a Resource needs data, a uri, or both")
