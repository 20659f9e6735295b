"""Owns what a tool can know of the call that it serves, and what it can say meanwhile.

Must not know any runner: everything goes through the call's handle.
"""

from __future__ import annotations

from pegboard.runtime.current import CURRENT, CallHandle

__all__ = ["Context"]


class Context:
    """The running call.

    A parameter with this type is not shown to the model; it is filled in at each call.
    """

    __slots__ = ("_handle",)

    def __init__(self, handle: CallHandle, /) -> None:
        """Speak through the call's handle; a runner does this."""
        self._handle = handle

    @classmethod
    def current(cls) -> Context:
        """The context of the call that this code runs in; raises `RuntimeError` outside of calls."""
        handle = CURRENT.get(None)
        if handle is None:
            raise RuntimeError("no tool call is running here")
        return cls(handle)

    @property
    def call_id(self) -> str:
        """The call's id."""
        return self._handle.call_id

    @property
    def tool(self) -> str:
        """The tool's real name."""
        return self._handle.tool

    @property
    def cancelled(self) -> bool:
        """Whether the caller no longer waits; a long loop should look at this and end."""
        return self._handle.cancelled

    def log(self, text: str) -> None:
        """Keep a line in the call's log; the model does not see it."""
        self._handle.write("log", text if isinstance(text, str) else str(text))

    def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Report that `done` of `total` units of work are finished, in any unit."""
        self._handle.progress(float(done), None if total is None else float(total), message)

    def __repr__(self) -> str:
        """Show which call it is."""
        return f"Context(call_id={self.call_id!r}, tool={self.tool!r})"
