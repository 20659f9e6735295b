"""Owns the stand-in for rigging's `Tool`, `@tool` and `@tool_method`; names stay as they are.

Must not repeat what `tool` and `toolset` own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, overload

from pegboard.compat.tool import StandInTool
from pegboard.compat.toolset import StandInToolMethod

P = ParamSpec("P")
R = TypeVar("R")

TOOL_STOP_TAG = "rg-stop"


class Tool(StandInTool[P, R]):
    """rigging's tool."""


class ToolMethod(StandInToolMethod):
    """rigging's tool method."""

    tool_class = Tool

    def _supplied(self, bound: Callable[..., Any]) -> Callable[..., Any]:
        return bound


@overload
def tool(func: Callable[P, R], /) -> Tool[P, R]: ...


@overload
def tool(func: None = None, /, **options: Any) -> Callable[[Callable[P, R]], Tool[P, R]]: ...


def tool(func: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Make a tool of a function.

    Args:
        func: The function, where the decorator stands without brackets.
        options: `name`, `description`, `catch`, `truncate`.
    """
    if func is not None:
        return Tool.from_callable(func, **options)
    return lambda decorated: Tool.from_callable(decorated, **options)


def tool_method(func: Any = None, /, **options: Any) -> Any:
    """Make a method a tool of each instance of its class.

    Args:
        func: The method, where the decorator stands without brackets.
        options: `name`, `description`, `catch`, `truncate`.
    """
    if func is not None:
        return ToolMethod(func, options)
    return lambda decorated: ToolMethod(decorated, options)
