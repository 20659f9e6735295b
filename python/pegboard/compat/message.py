"""Owns the content that a tool may return instead of a value: text, pictures, sound, video, messages.

Must not decide how they are shown to a model; a dialect does.
"""

from __future__ import annotations

import base64
import mimetypes
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, Field

Detail = Literal["auto", "low", "high"]


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _read(file: Path | str, media_type: str | None) -> tuple[bytes, str]:
    path = Path(file)
    kind = media_type or mimetypes.guess_type(path.name)[0]
    if kind is None:
        raise ValueError(f"the media type of {str(path)!r} cannot be told from its name; pass it")
    return path.read_bytes(), kind


def _write(path: Path | str, data: bytes) -> None:
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)


def _shortened(text: str, length: int = 50) -> str:
    return text if len(text) <= length else f"{text[:length]}…"


class ContentText(BaseModel):
    """Text."""

    type: Literal["text"] = "text"
    text: str
    cache_control: dict[str, str] | None = None

    def __str__(self) -> str:
        """The text itself."""
        return self.text


class ContentImageUrl(BaseModel):
    """A picture, by its address or as a `data:` URL."""

    class ImageUrl(BaseModel):
        """Where the picture is, and how closely to look at it."""

        url: str
        detail: Detail = "auto"

    type: Literal["image_url"] = "image_url"
    image_url: ImageUrl
    cache_control: dict[str, str] | None = None

    def __str__(self) -> str:
        """A short form for logs."""
        return f"ContentImageUrl(url={_shortened(self.image_url.url)!r})"

    @classmethod
    def from_file(cls, file: Path | str, *, mimetype: str | None = None, detail: Detail = "auto") -> Self:
        """A picture from a file."""
        data, kind = _read(file, mimetype)
        return cls.from_bytes(data, kind, detail=detail)

    @classmethod
    def from_bytes(cls, data: bytes, mimetype: str, *, detail: Detail = "auto") -> Self:
        """A picture from its bytes."""
        return cls.from_url(f"data:{mimetype};base64,{_encoded(data)}", detail=detail)

    @classmethod
    def from_url(cls, url: str, *, detail: Detail = "auto") -> Self:
        """A picture by its address."""
        return cls(image_url=cls.ImageUrl(url=url, detail=detail))

    def to_bytes(self) -> bytes:
        """The bytes of a picture that is here."""
        header, _, data = self.image_url.url.partition(",")
        if not header.startswith("data:"):
            raise ValueError(f"the picture is elsewhere: {_shortened(self.image_url.url)}")
        return base64.b64decode(data)

    def save(self, path: Path | str) -> None:
        """Writes the bytes to a file."""
        _write(path, self.to_bytes())


class ContentAudioInput(BaseModel):
    """A sound."""

    class Audio(BaseModel):
        """The sound as base64, its format such as `wav`, and what is said in it."""

        data: str
        format: str
        transcript: str | None = None

    type: Literal["input_audio"] = "input_audio"
    input_audio: Audio
    cache_control: dict[str, str] | None = None

    def __str__(self) -> str:
        """A short form for logs."""
        return f"ContentAudioInput(format={self.input_audio.format!r}, transcript={self.transcript!r})"

    @classmethod
    def from_file(cls, file: Path | str, *, format: str | None = None, transcript: str | None = None) -> Self:
        """A sound from a file."""
        data, kind = _read(file, None if format is None else f"audio/{format}")
        return cls.from_bytes(data, format=format or kind.partition("/")[2], transcript=transcript)

    @classmethod
    def from_bytes(cls, data: bytes, *, format: str | None = None, transcript: str | None = None) -> Self:
        """A sound from its bytes."""
        return cls(
            input_audio=cls.Audio(data=_encoded(data), format=format or "unknown", transcript=transcript)
        )

    @property
    def transcript(self) -> str | None:
        """What is said in it."""
        return self.input_audio.transcript

    def to_bytes(self) -> bytes:
        """The bytes."""
        return base64.b64decode(self.input_audio.data)

    def save(self, path: Path | str) -> None:
        """Writes the bytes to a file."""
        _write(path, self.to_bytes())


class ContentVideoUrl(BaseModel):
    """A video, as base64."""

    class FileData(BaseModel):
        """The video, its name and its media type."""

        file_data: str
        filename: str | None = None
        file_id: str | None = None
        mimetype: str | None = None

    type: Literal["file"] = "file"
    file: FileData
    cache_control: dict[str, str] | None = None

    def __str__(self) -> str:
        """A short form for logs."""
        return f"ContentVideoUrl(file={_shortened(self.file.file_data)!r})"

    @classmethod
    def from_file(cls, file: Path | str, *, mimetype: str | None = None, filename: str | None = None) -> Self:
        """A video from a file."""
        data, kind = _read(file, mimetype)
        return cls.from_bytes(data, kind, filename=filename or Path(file).name)

    @classmethod
    def from_bytes(cls, data: bytes, mimetype: str, *, filename: str | None = None) -> Self:
        """A video from its bytes."""
        return cls(file=cls.FileData(file_data=_encoded(data), filename=filename, mimetype=mimetype))

    def to_bytes(self) -> bytes:
        """The bytes."""
        return base64.b64decode(self.file.file_data.rpartition(",")[2])

    def save(self, path: Path | str) -> None:
        """Writes the bytes to a file."""
        _write(path, self.to_bytes())


Content = ContentText | ContentImageUrl | ContentAudioInput | ContentVideoUrl
ContentTypes = (ContentText, ContentImageUrl, ContentAudioInput, ContentVideoUrl)


class Message(BaseModel):
    """A message of a conversation; as a tool's value it stands for its content."""

    role: str
    content_parts: list[Content] = Field(default_factory=list)
    tool_calls: list[Any] | None = None
    tool_call_id: str | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)

    def __init__(
        self, role: str, content: str | Sequence[str | Content] | None = None, **fields: Any
    ) -> None:
        """Takes the content as text or as a list of texts and blocks."""
        given: Iterable[str | Content] = () if content is None else content
        if isinstance(content, str):
            given = (content,)
        parts = [ContentText(text=part) if isinstance(part, str) else part for part in given]
        super().__init__(**{"role": role, "content_parts": parts, **fields})

    @property
    def content(self) -> str:
        """The text of the blocks that have any, a line break between them."""
        texts = (part.text for part in self.content_parts if isinstance(part, ContentText))
        return "\n".join(text for text in texts if text.strip())

    def __str__(self) -> str:
        """The role and the content."""
        return f"[{self.role}]: " + " | ".join(map(str, self.content_parts))
