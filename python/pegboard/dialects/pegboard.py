"""Owns pegboard's own dialect: which objects are tools, and how each is declared."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING, Any

from pegboard.authoring.tool import Tool
from pegboard.authoring.toolset import ToolMethod, Toolset
from pegboard.runtime.describe import Declaration, describe
from pegboard.runtime.findings import error, warning
from pegboard.runtime.lifetime import enter_once
from pegboard.runtime.lines import function_line

if TYPE_CHECKING:
    from pegboard.runtime.bound import BoundTool
    from pegboard.runtime.collect import Found
    from pegboard.runtime.findings import Finding

    from . import Options

__all__ = ["DIALECT", "next_serial"]

_serials = count(1)


def next_serial() -> int:
    """A number for one toolset instance whose sync calls must not overlap."""
    return next(_serials)


class PegboardDialect:
    """Tools that were written for pegboard."""

    name = "pegboard"

    def owns(self, value: object) -> bool:
        """Whether `value` was made with pegboard's authoring API."""
        if isinstance(value, type):
            return issubclass(value, Toolset) and value is not Toolset and any(True for _ in _declared(value))
        return isinstance(value, Tool | Toolset | ToolMethod)

    def describe(self, found: Found, options: Options) -> Iterator[BoundTool | Finding]:
        """See `Dialect`."""
        value = found.value
        if isinstance(value, Tool):
            yield from describe(
                found, Declaration(value.function, value.name, value.options, value.problems), self.name
            )
        elif isinstance(value, Toolset):
            yield from self._toolset(found, value)
        elif isinstance(value, ToolMethod):
            yield error(
                "decorator_misplaced",
                f"the function {found.variable!r} is decorated with @tool_method, but it is in no toolset",
                path=found.file,
                line=function_line(value.function),
                hint="decorate it with @tool",
                tools=[value.name],
            )

    def _toolset(self, found: Found, toolset: Toolset) -> Iterator[BoundTool | Finding]:
        cls = type(toolset)
        serial = None if cls.concurrent else next_serial()
        enter = enter_once(toolset, found.file)
        for attribute, value in _declared(cls):
            if not isinstance(value, ToolMethod):
                yield _misplaced(found, cls, attribute, value)
                continue
            variants = value.options.variants
            if variants is not None and toolset.variant is not None and toolset.variant not in variants:
                continue
            method = getattr(toolset, attribute)
            declared = Declaration(method, value.name, value.options, value.problems, cls, serial, enter)
            yield from describe(found, declared, self.name)


def _declared(cls: type) -> Iterator[tuple[str, Any]]:
    """The tool methods of a class, and what looks as if it was meant to be one, in order of definition."""
    names = dict.fromkeys(name for scope in reversed(cls.__mro__) for name in vars(scope))
    for name in names:
        values = [vars(scope)[name] for scope in cls.__mro__ if name in vars(scope)]
        unwrapped = [
            value.__func__ if isinstance(value, staticmethod | classmethod) else value for value in values
        ]
        if (
            isinstance(values[0], ToolMethod)
            or isinstance(unwrapped[0], Tool | ToolMethod)
            or (callable(values[0]) and any(isinstance(value, ToolMethod) for value in values[1:]))
        ):
            yield name, values[0]


def _misplaced(found: Found, cls: type, attribute: str, value: Any) -> Finding:
    if isinstance(value, Tool):
        return error(
            "decorator_misplaced",
            f"{cls.__name__}.{attribute} is a method decorated with @tool",
            path=found.file,
            line=function_line(value),
            hint="decorate it with @tool_method",
            tools=[value.name],
        )
    if isinstance(value, staticmethod | classmethod):
        return error(
            "decorator_misplaced",
            f"{cls.__name__}.{attribute} is a tool behind @{type(value).__name__}",
            path=found.file,
            line=function_line(value.__func__),
            hint="make it a plain method, or a function with @tool",
            tools=[attribute],
        )
    return warning(
        "decorator_misplaced",
        f"{cls.__name__}.{attribute} overrides a tool, but is not decorated and therefore not offered",
        path=found.file,
        line=function_line(value),
        hint=f"decorate it with @tool_method, or write {attribute} = None to take the tool away",
    )


DIALECT = PegboardDialect()
