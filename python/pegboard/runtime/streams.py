"""Owns `sys.stdout` and `sys.stderr`: output of a call goes to the call, all else where it went before.

Must not reach the file descriptors; the host protects those.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from typing import Any, Literal, TextIO, cast

from .current import CURRENT

__all__ = ["flush", "install"]


class _Router(io.TextIOBase):
    """A text stream that asks at each write which call is running."""

    def __init__(self, name: Literal["stdout", "stderr"], original: TextIO | None) -> None:
        self._stream = name
        self._original = original

    def write(self, text: str, /) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        handle = CURRENT.get(None)
        if handle is not None:
            try:
                handle.write(self._stream, text)
            except UnicodeEncodeError:  # half a surrogate pair, which is no UTF-8
                handle.write(self._stream, text.encode(self.encoding, self.errors).decode())
        elif self._original is not None:
            self._original.write(text)
        return len(text)

    def writelines(self, lines: Iterable[str], /) -> None:  # type: ignore[override]
        for line in lines:
            self.write(line)

    def writable(self) -> bool:
        return True

    def flush(self) -> None:
        if self._original is not None and CURRENT.get(None) is None:
            self._original.flush()

    def isatty(self) -> bool:
        return CURRENT.get(None) is None and self._original is not None and self._original.isatty()

    def fileno(self) -> int:
        if self._original is None:
            raise io.UnsupportedOperation("fileno")
        return self._original.fileno()

    def close(self) -> None:
        """Do nothing: the stream belongs to the host."""

    @property
    def buffer(self) -> Any:
        """The bytes below; what is written there goes to the call as text."""
        return _Bytes(self) if CURRENT.get(None) is not None else getattr(self._original, "buffer", None)

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    @property
    def errors(self) -> str:  # type: ignore[override]
        return "backslashreplace"

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)


class _Bytes(io.RawIOBase):
    """The binary side of a router during a call."""

    def __init__(self, router: _Router) -> None:
        self._router = router

    def write(self, data: Any, /) -> int:
        self._router.write(bytes(data).decode("utf-8", "backslashreplace"))
        return len(data)

    def writable(self) -> bool:
        return True


def install() -> None:
    """Put the routers in place; does nothing where they are in place already."""
    for name in ("stdout", "stderr"):
        original = getattr(sys, name)
        if not isinstance(original, _Router):
            setattr(sys, name, cast(TextIO, _Router(cast(Any, name), original)))


def flush() -> None:
    """Write out what the original streams hold back."""
    for name in ("stdout", "stderr"):
        # A tool may have taken them away.
        stream = getattr(sys, name, None)
        original = stream._original if isinstance(stream, _Router) else stream
        if original is not None:
            try:
                original.flush()
            except (OSError, ValueError):  # the reader is gone, or the stream was closed
                continue
