"""Owns the exception by which a tool ends a run."""

from __future__ import annotations

from pegboard.errors import PegboardError

__all__ = ["Stop"]


class Stop(PegboardError):
    """Raised by a tool: the work is done, no further calls are wanted. The text is shown to the model."""

    code = "stop"

    def __init__(self, text: str = "") -> None:
        self.text = text
        """What the model is told."""
        super().__init__(text)
