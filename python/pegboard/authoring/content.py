"""Owns the values that a tool returns when text is not enough: pictures, sounds and other bytes.

Must not encode or measure anything; rendering does. They are no dataclasses on purpose: inside other values
they would be written as JSON, and their bytes would end up in the text.
"""

from __future__ import annotations

from typing import final

__all__ = ["Audio", "Image", "Resource"]


@final
class Image:
    """A picture for the model; return it alone or in a list with strings and other content."""

    __slots__ = ("data", "mime_type")

    def __init__(self, data: bytes, mime_type: str | None = None) -> None:
        """Take the file's bytes."""
        self.data = bytes(data)
        """The file's bytes, not base64."""
        self.mime_type = mime_type
        """Its media type; read from the first bytes if absent."""

    def __repr__(self) -> str:
        """Show the size rather than the bytes."""
        return f"Image({len(self.data)} bytes, mime_type={self.mime_type!r})"


@final
class Audio:
    """A sound for the model; return it alone or in a list with strings and other content."""

    __slots__ = ("data", "mime_type")

    def __init__(self, data: bytes, mime_type: str | None = None) -> None:
        """Take the file's bytes."""
        self.data = bytes(data)
        """The file's bytes, not base64."""
        self.mime_type = mime_type
        """Its media type; read from the first bytes if absent."""

    def __repr__(self) -> str:
        """Show the size rather than the bytes."""
        return f"Audio({len(self.data)} bytes, mime_type={self.mime_type!r})"


@final
class Resource:
    """Other bytes, or a reference to something elsewhere; at least one of `data` and `uri`."""

    __slots__ = ("data", "mime_type", "uri")

    def __init__(
        self, data: bytes | None = None, uri: str | None = None, mime_type: str | None = None
    ) -> None:
        """Take the bytes, the address, or both; raises `ValueError` for neither."""
        if data is None and uri is None:
            raise ValueError("a Resource needs data, a uri, or both")
        self.data = None if data is None else bytes(data)
        """The bytes, not base64."""
        self.uri = uri
        """Where it is."""
        self.mime_type = mime_type
        """Its media type; read from the first bytes if absent."""

    def __repr__(self) -> str:
        """Show the size rather than the bytes."""
        size = "no" if self.data is None else len(self.data)
        return f"Resource({size} bytes, uri={self.uri!r}, mime_type={self.mime_type!r})"
