"""Owns the dendrux dialect: which objects are its tools, and what each is to a runner.

Must not import dendrux, and must not decide what a type becomes; the `dendrux_*` modules beside this one do
that.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from inspect import Parameter, cleandoc, isasyncgenfunction, iscoroutinefunction, signature
from types import MethodType
from typing import TYPE_CHECKING, Any

from pegboard.runtime import findings
from pegboard.runtime.lines import function_line

if TYPE_CHECKING:
    from pegboard.compat.dendrux.types import ToolDef
    from pegboard.dialects import Options
    from pegboard.runtime.bound import BoundTool
    from pegboard.runtime.collect import Found

_MOST_CALLS = 2**32 - 1
"""The largest limit that the host can hold."""

_ATTRIBUTE = "__tool_def__"
_STAND_IN = "pegboard.compat.dendrux.types"


class DendruxDialect:
    """Functions that the `tool` decorator of dendrux, or of its stand-in, has marked."""

    name = "dendrux"

    def owns(self, value: object) -> bool:
        """Whether `value` carries a tool definition, or stands for a function that could not get one."""
        return _held(value) is not None

    def describe(self, found: Found, options: Options) -> Iterator[BoundTool | findings.Finding]:
        """The tool, or why the function is none."""
        from pegboard.dialects.dendrux_defaults import NotJsonError, json_schema

        function: Any = found.value
        line = function_line(function) or found.line
        definition = _held(function)
        if _is_rejected(definition):
            from pegboard.compat.dendrux.definition import define
            from pegboard.compat.dendrux.types import Rejection

            # Judged again: a type may be defined further down in the file than the function that names it.
            try:
                function.__tool_def__ = definition = define(function, definition.options)
            except Rejection as rejection:
                yield findings.error(
                    rejection.code, str(rejection.error), path=found.file, line=line, tools=[definition.name]
                )
                return
        for message in _remarks(definition, function):
            yield findings.warning("option_invalid", message, path=found.file, line=line)
        if definition.strict and (reason := _not_strict_everywhere(definition)):
            yield findings.info("option_invalid", reason, path=found.file, line=line)
        try:
            parameters = json_schema(definition.parameters)
        except NotJsonError as error:
            message = f"parameters= of tool '{definition.name}' cannot be used: {error}"
            yield findings.error(
                "option_invalid", message, path=found.file, line=line, tools=[definition.name]
            )
            return
        yield _bound(found, definition, parameters, function, line)


DIALECT = DendruxDialect()


def _held(value: object) -> Any:
    """The definition that a decorator left on a function, if its class is dendrux's or the stand-in's."""
    function = value.__func__ if isinstance(value, MethodType) else value
    held = getattr(function, "__dict__", {}).get(_ATTRIBUTE)
    return held if held is not None and isinstance(held, _definition_classes()) else None


def _definition_classes() -> tuple[type, ...]:
    """The classes that count; a file that imported neither package has no dendrux tools."""
    homes = ((_STAND_IN, "ToolDef"), (_STAND_IN, "RejectedTool"), ("dendrux.types", "ToolDef"))
    kinds = (vars(sys.modules[home]).get(name) for home, name in homes if home in sys.modules)
    return tuple(kind for kind in kinds if isinstance(kind, type))


def _is_rejected(held: Any) -> bool:
    return type(held).__name__ == "RejectedTool"


def _bound(
    found: Found,
    definition: ToolDef,
    parameters: dict[str, Any],
    function: Callable[..., Any],
    line: int | None,
) -> BoundTool:
    from pegboard.dialects.dendrux_arguments import DendruxArguments
    from pegboard.dialects.dendrux_render import render
    from pegboard.runtime.bound import BoundTool

    asynchronous = iscoroutinefunction(function) or isasyncgenfunction(function)
    limit = definition.max_calls_per_run
    return BoundTool(
        definition={
            "name": definition.name,
            "description": cleandoc(definition.description),
            "parameters_schema": parameters,
            "output_schema": None,
            "source": {"path": found.file, "line": line, "dialect": DIALECT.name, "toolset": None},
            "flags": {
                "asynchronous": asynchronous,
                "parallel": bool(definition.parallel),
                "max_calls_per_run": None if limit is None else min(max(int(limit), 0), _MOST_CALLS),
                "strict": bool(definition.strict),
                "target": str(definition.target),
            },
        },
        policy={
            "failure_style": "error_code",
            "catch": "all",
            "truncate": None,
            "offload": ".pegboard",
            "timeout": _timeout(definition.timeout_seconds),
            "validate_by_schema": False,
        },
        function=function,
        validator=DendruxArguments(definition.name, parameters, function),
        render=render,
        plain_text=False,
        asynchronous=asynchronous,
    )


def _timeout(seconds: float) -> str | dict[str, float]:
    """The host's form of a limit. A negative one is over before it began, and infinity is none."""
    if seconds == math.inf:
        return "unlimited"
    return {"seconds": seconds if seconds > 0 else 0.0}


def _remarks(definition: ToolDef, function: Callable[..., Any]) -> Iterator[str]:
    """What works otherwise than its author may think, a sentence each."""
    tool = f"tool '{definition.name}'"
    yield from (f"{tool}: {note}" for note in getattr(definition, "notes", ()))
    if definition.max_calls_per_run is not None and definition.max_calls_per_run < 0:
        yield f"max_calls_per_run={definition.max_calls_per_run} of {tool} is below zero: no call is allowed"
    if not definition.timeout_seconds > 0:
        yield f"timeout_seconds={definition.timeout_seconds} of {tool}: every call times out at once"
    foreign = _foreign_names(definition, function)
    if foreign:
        yield f"parameters= of {tool} declares {', '.join(foreign)}, which the function does not take"


def _foreign_names(definition: ToolDef, function: Callable[..., Any]) -> list[str]:
    """Declared arguments that the function has no parameter for; a call that brings one fails."""
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):  # Python knows no signature of some builtins
        return []
    if any(parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters):
        return []
    taken = {parameter.name for parameter in parameters if parameter.kind is not Parameter.VAR_POSITIONAL}
    return [name for name in definition.parameters.get("properties", ()) if name not in taken]


def _not_strict_everywhere(definition: ToolDef) -> str | None:
    """Why a strict tool is not strict for Anthropic, if it is not."""
    from pegboard.dialects.dendrux_anthropic import anthropic_copy

    _, reason = anthropic_copy(definition.parameters)
    return None if reason is None else f"tool '{definition.name}' cannot be strict for Anthropic: {reason}"
