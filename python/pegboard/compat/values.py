"""Owns the typed values that tool files report or return: `Markdown`, `Image`, `Table` and their like.

Each keeps what it was given; none is converted, so nothing needs numpy, Pillow or pandas. Must not decide
how they are shown to a model; a dialect does.
"""

from __future__ import annotations

import base64
import mimetypes
from abc import ABC, abstractmethod
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar


class DataType(ABC):
    """A value with a hint of what it is."""

    @abstractmethod
    def to_serializable(self) -> tuple[Any, dict[str, Any]]:
        """The data, and what is known about it."""


class WithMeta(DataType):
    """Any value with what is known about it."""

    def __init__(self, obj: Any, metadata: dict[str, Any]) -> None:
        """Keeps both."""
        self._obj = obj
        self._metadata = metadata

    def to_serializable(self) -> tuple[Any, dict[str, Any]]:
        """The value, and what is known about it."""
        return self._obj, self._metadata


class Text(DataType):
    """Text in a format."""

    def __init__(self, text: str, format: str = "text") -> None:
        """Keeps the text and the name of its format."""
        self._text = text
        self._format = format

    def __str__(self) -> str:
        """The text itself."""
        return self._text

    def to_serializable(self) -> tuple[Any, dict[str, Any]]:
        """The text and its format."""
        return self._text, {"format": self._format}


class Markdown(Text):
    """Text in Markdown."""

    def __init__(self, text: str) -> None:
        """Keeps the text."""
        super().__init__(text, "markdown")


class Code(Text):
    """Text in a programming language."""

    def __init__(self, text: str, language: str = "") -> None:
        """Keeps the text and the language."""
        super().__init__(text, "code")
        self._language = language

    def to_serializable(self) -> tuple[Any, dict[str, Any]]:
        """The text, its format and its language."""
        return self._text, {"format": self._format, "code-language": self._language}


class Table(DataType):
    """Rows, as a list or dict of them or the path of a file that holds them."""

    def __init__(
        self, data: Any, caption: str | None = None, format: str | None = None, *, index: bool = False
    ) -> None:
        """Keeps the rows."""
        self.data = data
        self.caption = caption
        self.format = format
        self.index = index

    def to_serializable(self) -> tuple[Any, dict[str, Any]]:
        """The rows and their caption."""
        return self.data, {"caption": self.caption, "format": self.format}


class Media(DataType):
    """Binary data: bytes, a file, or a `data:` URL."""

    kind: ClassVar[str] = "application"
    default_format: ClassVar[str] = "octet-stream"

    def __init__(
        self, data: Any, *details: Any, caption: str | None = None, format: str | None = None, **more: Any
    ) -> None:
        """Keeps the data as it was given."""
        self.data = data
        self.caption = caption
        self.format = format

    def to_bytes(self) -> bytes:
        """The bytes.

        Raises:
            TypeError: the data is an array or another object that would have to be encoded first.
        """
        if isinstance(self.data, bytes | bytearray | memoryview):
            return bytes(self.data)
        if isinstance(self.data, str) and self.data.startswith("data:"):
            return base64.b64decode(self.data.partition(",")[2])
        if isinstance(self.data, str | PathLike):
            return Path(self.data).read_bytes()
        raise TypeError(
            f"{type(self).__name__} of {type(self.data).__name__} cannot be encoded here; "
            "give it bytes, the path of a file, or a data: URL, or install the package: pip install dreadnode"
        )

    @property
    def media_type(self) -> str:
        """The media type, from the format, the URL or the file's name."""
        if self.format is not None:
            return f"{self.kind}/{'jpeg' if self.format == 'jpg' else self.format}"
        if isinstance(self.data, str) and self.data.startswith("data:"):
            return self.data[5:].partition(";")[0]
        if isinstance(self.data, str | PathLike):
            guessed = mimetypes.guess_type(Path(self.data).name)[0]
            if guessed is not None:
                return guessed
        return f"{self.kind}/{self.default_format}"

    def to_serializable(self) -> tuple[Any, dict[str, Any]]:
        """The bytes, and their kind, format and caption."""
        return self.to_bytes(), {
            "x-python-datatype": f"dreadnode.{type(self).__name__}.bytes",
            "format": self.media_type.partition("/")[2],
            "caption": self.caption,
        }


class Image(Media):
    """A picture."""

    kind = "image"
    default_format = "png"


class Audio(Media):
    """A sound."""

    kind = "audio"
    default_format = "wav"


class Video(Media):
    """A video."""

    kind = "video"
    default_format = "mp4"


class Object3D(Media):
    """A three-dimensional model."""

    kind = "model"
    default_format = "obj"
