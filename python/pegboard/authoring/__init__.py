"""Owns what the author of a tool file imports.

Pure Python on top of pydantic; never imports the compiled module.
"""

from __future__ import annotations

from .content import Audio, Image, Resource
from .context import Context
from .stop import Stop
from .tool import Tool, tool
from .toolset import Toolset, tool_method

__all__ = ["Audio", "Context", "Image", "Resource", "Stop", "Tool", "Toolset", "tool", "tool_method"]
