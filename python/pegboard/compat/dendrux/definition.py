"""Owns the making of a tool definition from a function and what its decorator was given.

Must not decide what a rejection costs: the decorator raises it, or leaves it to the loading of the file.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from inspect import cleandoc
from typing import Any

from pegboard.compat.dendrux.types import Rejection, ToolDef, ToolOptions, ToolTarget
from pegboard.dialects.dendrux_parameters import parameters_schema
from pegboard.dialects.dendrux_strict import strict_parameters


def define(function: Callable[..., Any], options: ToolOptions) -> ToolDef:
    """The definition of `function` as a tool.

    Raises `Rejection`, which carries a `TypeError` for a signature or schema that cannot be described, a
    `ValueError` for an unusable name or target, and a `NameError` for a type that names something which does
    not exist (yet).
    """
    name = tool_name(function)
    if not name.isidentifier():
        raise Rejection(
            "name_invalid",
            ValueError(f"a tool cannot be called '{name}'; decorate a function that has a name"),
        )
    target = _target(name, options.target)
    timeout = _seconds(name, options.timeout_seconds)
    limit = _count(name, options.max_calls_per_run)
    notes: tuple[str, ...] = ()
    try:
        if options.parameters is None:
            schema = parameters_schema(function, name)
        else:
            schema = _explicit(name, options.parameters)
        if options.strict:
            schema, notes = strict_parameters(schema, name)
    except NameError as error:
        raise Rejection("parameter_unresolved", error) from error
    except (TypeError, ValueError) as error:
        raise Rejection("signature_rejected", error) from error
    return ToolDef(
        name=name,
        description=cleandoc(function.__doc__ or "").strip(),
        parameters=schema,
        target=target,
        parallel=options.parallel,
        max_calls_per_run=limit,
        timeout_seconds=timeout,
        has_explicit_timeout=options.has_explicit_timeout,
        strict=options.strict,
        notes=notes,
    )


def tool_name(function: object) -> str:
    """The name of what was decorated; `Rejection` for what is no function."""
    name = getattr(function, "__name__", None)
    if isinstance(function, type) or not callable(function) or not isinstance(name, str):
        kind = type(function).__name__
        shown = f"the class '{name}'" if isinstance(function, type) else f"an object of type {kind}"
        raise Rejection("signature_rejected", TypeError(f"tool() decorates functions, but got {shown}"))
    return name


def _target(name: str, given: object) -> ToolTarget:
    if given in (ToolTarget.SERVER, ToolTarget.CLIENT):
        return ToolTarget(str(given))
    reason = "is reserved for later versions of dendrux" if given in tuple(ToolTarget) else "is not a target"
    raise Rejection(
        "option_invalid",
        ValueError(f"target='{given}' of tool '{name}' {reason}; a tool runs on 'server' or 'client'"),
    )


def _seconds(name: str, given: Any) -> float:
    try:
        return float(given)
    except (TypeError, ValueError) as error:
        message = f"timeout_seconds={given!r} of tool '{name}' is not a number of seconds"
        raise Rejection("option_invalid", type(error)(message)) from error


def _count(name: str, given: object) -> int | None:
    if given is None or isinstance(given, int):
        return given
    if isinstance(given, float) and given.is_integer():
        return int(given)
    raise Rejection(
        "option_invalid", TypeError(f"max_calls_per_run={given!r} of tool '{name}' is not a number of calls")
    )


def _explicit(name: str, parameters: object) -> dict[str, Any]:
    """A copy of the author's own schema, which is taken as it is."""
    if not isinstance(parameters, dict):
        raise TypeError(
            f"parameters= of tool '{name}' must be a JSON Schema as a dict, got {type(parameters).__name__}"
        )
    root = parameters.get("type")
    if root != "object":
        raise ValueError(f"parameters= of tool '{name}' must have 'type': 'object' at its root, got {root!r}")
    try:
        json.dumps(parameters)
    except (TypeError, ValueError, RecursionError) as error:
        raise TypeError(f"parameters= of tool '{name}' is not JSON: {error}") from error
    return copy.deepcopy(parameters)
