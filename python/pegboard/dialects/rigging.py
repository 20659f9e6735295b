"""Owns the rigging dialect: dreadnode's, with what its own package does differently.

Must not repeat what the dreadnode dialect owns.
"""

from __future__ import annotations

from pegboard.dialects.dreadnode import ToolDialect
from pegboard.dialects.dreadnode_objects import RIGGING_METHODS, RIGGING_TOOLS


class RiggingDialect(ToolDialect):
    """rigging's tools; it has no toolsets."""

    name = "rigging"
    offload = ".pegboard"
    stop_tag = "rg-stop"
    _tools = RIGGING_TOOLS
    _methods = RIGGING_METHODS


DIALECT = RiggingDialect()
