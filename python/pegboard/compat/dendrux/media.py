"""Owns the values by which a dendrux tool returns pictures: `Image` and `ToolOutput`.

Must not read, fetch or decode anything; rendering does.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, Self

Detail = Literal["auto", "low", "high"]


@dataclass(frozen=True)
class Image:
    """A picture: bytes, a file, base64 text or an address. Made by one of the `from_` methods."""

    source: Literal["bytes", "path", "base64", "url"]
    data: bytes | None = field(default=None, repr=False)
    path: str | None = field(default=None, repr=False)
    text: str | None = field(default=None, repr=False)
    url: str | None = field(default=None, repr=False)
    media_type: str | None = None
    detail: Detail | None = None

    @classmethod
    def from_bytes(cls, data: bytes, *, media_type: str | None = None, detail: Detail | None = None) -> Self:
        """The bytes of the file."""
        if not isinstance(data, bytes | bytearray | memoryview):
            raise TypeError(f"Image.from_bytes() takes bytes, got {type(data).__name__}")
        return cls("bytes", data=bytes(data), media_type=media_type, detail=detail)

    @classmethod
    def from_path(
        cls, path: str | os.PathLike[str], *, media_type: str | None = None, detail: Detail | None = None
    ) -> Self:
        """A file, read when the result is rendered."""
        return cls("path", path=os.fspath(path), media_type=media_type, detail=detail)

    @classmethod
    def from_base64(cls, data: str, *, media_type: str | None = None, detail: Detail | None = None) -> Self:
        """Base64 text, or a `data:` address."""
        if not isinstance(data, str):
            raise TypeError(f"Image.from_base64() takes a str, got {type(data).__name__}")
        return cls("base64", text=data, media_type=media_type, detail=detail)

    @classmethod
    def from_url(cls, url: str, *, detail: Detail | None = None) -> Self:
        """An address, handed on as it is."""
        if not isinstance(url, str):
            raise TypeError(f"Image.from_url() takes a str, got {type(url).__name__}")
        return cls("url", url=url, detail=detail)


@dataclass(frozen=True)
class ToolOutput:
    """A result with pictures; `result` is written as if it were returned alone."""

    result: Any = None
    images: Iterable[Any] = ()

    def __post_init__(self) -> None:
        """Keeps the pictures as a tuple, and refuses what is no picture."""
        if isinstance(self.images, str | bytes | Image):
            raise TypeError("ToolOutput.images must be a sequence of images")
        images = tuple(self.images)
        for image in images:
            if not isinstance(image, Image):
                raise TypeError(f"ToolOutput.images takes Image objects, got {type(image).__name__}")
        object.__setattr__(self, "images", images)
