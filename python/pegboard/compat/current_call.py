"""Owns `current_tool_call`, by which code inside a tool learns the id, name and arguments of its call.

A tool pays for it only in a process where a file has asked for the name: whoever describes tools looks whether this
module is there.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from pydantic_core import to_json

from pegboard.compat.tool import FunctionCall, ToolCall
from pegboard.runtime.current import CURRENT

current_tool_call: ContextVar[ToolCall | None] = ContextVar("current_tool_call", default=None)
"""The call whose function is running; `None` outside of calls."""


def announced(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with `current_tool_call` set while it runs."""
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def awaited(*args: Any, **kwargs: Any) -> Any:
            with _announce(name, kwargs):
                return await function(*args, **kwargs)

        return awaited
    if inspect.isasyncgenfunction(function):

        @functools.wraps(function)
        async def generated(*args: Any, **kwargs: Any) -> AsyncIterator[Any]:
            with _announce(name, kwargs):
                async for item in function(*args, **kwargs):
                    yield item

        return generated

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        with _announce(name, kwargs):
            return function(*args, **kwargs)

    return called


@contextmanager
def _announce(name: str, arguments: Mapping[str, Any]) -> Iterator[None]:
    handle = CURRENT.get(None)
    text = to_json(dict(arguments), fallback=repr).decode()
    call = ToolCall(
        id="" if handle is None else handle.call_id, function=FunctionCall(name=name, arguments=text)
    )
    token = current_tool_call.set(call)
    try:
        yield
    finally:
        current_tool_call.reset(token)
