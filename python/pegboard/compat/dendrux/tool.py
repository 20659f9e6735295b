"""Owns the `tool` decorator of dendrux and the two functions that look at what it leaves on a function.

Must not describe anything; `definition` does.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from pegboard.compat.dendrux.definition import define
from pegboard.compat.dendrux.types import (
    ATTRIBUTE,
    DEFAULT_TOOL_TIMEOUT,
    RejectedTool,
    Rejection,
    ToolDef,
    ToolOptions,
    ToolTarget,
)
from pegboard.runtime.source import source_of

_UNSET: Any = object()


def tool(
    target: Any = ToolTarget.SERVER,
    parallel: bool = True,
    max_calls_per_run: int | None = None,
    timeout_seconds: float = _UNSET,
    *,
    parameters: dict[str, Any] | None = None,
    strict: bool = False,
) -> Any:
    """Make a function a tool; it stays the same function. Stands with and without parentheses.

    `target` is `"server"` or `"client"`; `parallel=False` keeps calls of one run apart; `timeout_seconds` is
    120 if not given; `parameters` is a JSON Schema in place of the signature's; `strict=True` closes the
    schema for strict function calling.

    Raises `TypeError` that names the parameter which has no schema, `ValueError` for an unusable name or
    target, and `NameError` for a type that names something which does not exist.
    """
    if not isinstance(target, str):
        return _decorate(target, ToolOptions(), _caller())
    explicit = timeout_seconds is not _UNSET
    options = ToolOptions(
        target=target,
        parallel=parallel,
        max_calls_per_run=max_calls_per_run,
        timeout_seconds=timeout_seconds if explicit else DEFAULT_TOOL_TIMEOUT,
        has_explicit_timeout=explicit,
        parameters=parameters,
        strict=strict,
    )

    def decorate(function: Any) -> Any:
        return _decorate(function, options, _caller())

    return decorate


def get_tool_def(fn: Callable[..., Any]) -> ToolDef:
    """The definition of a decorated function; `ValueError` if it is none."""
    held = getattr(fn, ATTRIBUTE, None)
    if not isinstance(held, ToolDef):
        raise ValueError(f"'{getattr(fn, '__name__', fn)}' is not a tool; decorate it with @tool()")
    return held


def is_tool(fn: Callable[..., Any]) -> bool:
    """Whether a function is decorated."""
    return hasattr(fn, ATTRIBUTE)


def _caller() -> str:
    """The name of the module in which the decorator stands."""
    return str(sys._getframe(2).f_globals.get("__name__", ""))


def _decorate(function: Any, options: ToolOptions, caller: str) -> Any:
    held: ToolDef | RejectedTool
    try:
        held = define(function, options)
    except Rejection as rejection:
        if not _is_being_loaded(caller, getattr(function, "__module__", None)):
            raise rejection.error from rejection.error.__cause__
        held = RejectedTool(str(getattr(function, "__name__", type(function).__name__)), options)
    try:
        setattr(function, ATTRIBUTE, held)
    except (AttributeError, TypeError):
        return _carrier(function, held)
    return function


def _is_being_loaded(*modules: str | None) -> bool:
    """Whether a host is importing one of the modules; it then reports what is left on the function."""
    sources = [source_of(module) for module in modules if isinstance(module, str)]
    return any(source is not None and source.loading for source in sources)


def _carrier(function: Any, held: ToolDef | RejectedTool) -> Any:
    """A function in place of an object that takes no attributes, such as a bound method."""

    def carrier(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    if callable(function):
        update_wrapper(carrier, function)
    setattr(carrier, ATTRIBUTE, held)
    return carrier
