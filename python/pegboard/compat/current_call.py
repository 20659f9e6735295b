"""Owns `current_tool_call`, by which code inside a tool learns the id, name and arguments of its call.

A tool pays for it only in a process where a file has asked for the name: whoever describes tools looks
whether this module is there.
"""

from __future__ import annotations

from contextvars import ContextVar

from pegboard.compat.tool_call import FunctionCall, ToolCall

__all__ = ["FunctionCall", "ToolCall", "current_tool_call"]

current_tool_call: ContextVar[ToolCall | None] = ContextVar("current_tool_call", default=None)
"""The call whose function is running; `None` outside of calls."""
