"""Owns telling a tool's code which call it serves, through the framework's own `current_tool_call`.

Must not import a framework: it gets the module that has the variable and the classes.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from pydantic_core import to_json

from pegboard.dialects.dreadnode_objects import ToolView
from pegboard.runtime.current import CURRENT

_STAND_IN = "pegboard.compat.current_call"
_REAL = ("dreadnode.agents.tools", "dreadnode.core.tools")


def announcing_module(*, stand_in: bool) -> ModuleType | None:
    """The module whose `current_tool_call` a tool's code may ask; `None` where no code can."""
    for name in (_STAND_IN,) if stand_in else _REAL:
        module = sys.modules.get(name)
        if module is not None and "current_tool_call" in vars(module):
            return module
    return None


def announced(tool: ToolView, module: Any) -> Callable[..., Any]:
    """The tool's function, with `current_tool_call` set while it runs."""
    name, function = tool.name, tool.function
    if inspect.iscoroutinefunction(tool.declared):

        @functools.wraps(function)
        async def awaited(*args: Any, **kwargs: Any) -> Any:
            with _announce(name, kwargs, module):
                return await function(*args, **kwargs)

        return awaited
    if inspect.isasyncgenfunction(tool.declared):

        @functools.wraps(function)
        async def generated(*args: Any, **kwargs: Any) -> AsyncIterator[Any]:
            with _announce(name, kwargs, module):
                async for item in function(*args, **kwargs):
                    yield item

        return generated

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        with _announce(name, kwargs, module):
            return function(*args, **kwargs)

    return called


@contextmanager
def _announce(name: str, arguments: Mapping[str, Any], module: Any) -> Iterator[None]:
    handle = CURRENT.get(None)
    text = to_json(dict(arguments), fallback=repr).decode()
    function = module.FunctionCall(name=name, arguments=text)
    call = module.ToolCall(id="" if handle is None else handle.call_id, function=function)
    token = module.current_tool_call.set(call)
    try:
        yield
    finally:
        module.current_tool_call.reset(token)
