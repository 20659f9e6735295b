"""Owns the exception by which a tool ends a run."""

from __future__ import annotations

from pegboard.errors import PegboardError

__all__ = ["Stop"]


class Stop(PegboardError):  # noqa: N818 - nothing went wrong
    """Raised by a tool: the work is done, no further calls are wanted. Its text is shown to the model."""

    code = "stop"
