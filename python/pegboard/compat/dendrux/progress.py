"""Owns the signs of life that a dendrux tool gives while it works.

A host without dendrux keeps no runs in a database, so there is nothing to keep alive and both do nothing, as
in dendrux outside of a persisted run.
"""

from __future__ import annotations


def heartbeat() -> None:
    """Say that the tool is still working; has no effect here."""


async def aheartbeat() -> None:
    """The same for async tools; has no effect here."""
