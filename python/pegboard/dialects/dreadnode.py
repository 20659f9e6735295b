"""Owns the dreadnode dialect: how its tools and toolsets become bound tools, by the framework's tools page.

Must not recognise classes, build schemas or write values itself; the modules beside it do.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from pegboard.dialects import Options, dialects
from pegboard.dialects.dreadnode_calls import announced, announcing_module
from pegboard.dialects.dreadnode_instances import Enter, enter_of, serial_of
from pegboard.dialects.dreadnode_objects import (
    DREADNODE_METHODS,
    DREADNODE_TOOLS,
    STOPS,
    TOOLSETS,
    Classes,
    ToolView,
    hidden_methods,
    offers_tools,
    view,
)
from pegboard.dialects.dreadnode_schema import describe as describe_arguments
from pegboard.dialects.dreadnode_values import render
from pegboard.runtime import findings, signature
from pegboard.runtime.bound import ArgumentsValidator, BoundTool
from pegboard.runtime.collect import Found
from pegboard.runtime.describe import _aliases
from pegboard.runtime.findings import Finding
from pegboard.runtime.lines import function_line
from pegboard.runtime.schema import SchemaRejected
from pegboard.runtime.signature import RETURN, underlying

DOCUMENTED_CATCH: tuple[type[BaseException], ...] = (json.JSONDecodeError, ValidationError)
"""What a tool catches that does not say, by the page."""


class ToolDialect:
    """What dreadnode's and rigging's tools have in common."""

    name: str
    offload: str
    """The folder for long output, below the working directory."""
    stop_tag: str
    """The element around the text with which a tool ends a run."""
    _tools: Classes
    _methods: Classes
    _toolsets = Classes()

    def owns(self, value: object) -> bool:
        """See `Dialect`."""
        toolsets = self._toolsets.present()
        if isinstance(value, type):
            return issubclass(value, toolsets) and value not in toolsets and offers_tools(value)
        return isinstance(value, (*self._tools.present(), *self._methods.present(), *toolsets))

    def describe(self, found: Found, options: Options) -> Iterator[BoundTool | Finding]:
        """See `Dialect`."""
        value = found.value
        if isinstance(value, self._tools.present()):
            yield from self._describe_tool(view(value), found, options)
        elif isinstance(value, self._methods.present()):
            yield findings.error(
                "decorator_misplaced",
                f"the function {found.variable!r} is decorated with @tool_method, but it is in no toolset",
                path=found.file,
                line=found.line,
                hint="decorate it with @tool",
                tools=(found.variable,),
            )
        else:
            yield from self._describe_toolset(found, options)

    def _describe_toolset(self, found: Found, options: Options) -> Iterator[BoundTool | Finding]:
        instance: Any = found.value
        cls = type(instance)
        enters = hasattr(cls, "__enter__") or hasattr(cls, "__aenter__")
        if enters != (hasattr(cls, "__exit__") or hasattr(cls, "__aexit__")):
            yield findings.error(
                "toolset_not_built",
                f"{cls.__name__} can be {'entered and not left' if enters else 'left and not entered'}",
                path=found.file,
                line=found.line,
                hint="define __aenter__ and __aexit__, or __enter__ and __exit__",
            )
            return
        hidden = tuple(dict.fromkeys(hidden_methods(cls)))
        for name in hidden:
            yield findings.error(
                "decorator_misplaced",
                f"{cls.__name__}.{name} takes the place of a tool method and is none itself, so it is not offered",
                path=found.file,
                line=function_line(getattr(cls, name, None)) or found.line,
                hint="put @tool_method above it too",
                tools=(name,),
            )
        try:
            offered = list(_flattened(instance, self._toolsets.present()))
        except Exception as error:
            yield findings.error(
                "toolset_not_built",
                f"{cls.__name__}.get_tools raised {type(error).__name__}: {error}",
                path=found.file,
                line=found.line,
            )
            return
        for item in offered:
            if getattr(item, "__name__", None) in hidden and inspect.ismethod(item):
                continue
            yield from self._describe_offered(item, found, options)

    def _describe_offered(self, item: Any, found: Found, options: Options) -> Iterator[BoundTool | Finding]:
        if isinstance(item, self._tools.present()):
            yield from self._describe_tool(view(item), found, options)
            return
        for dialect in dialects():
            if dialect.owns(item):
                yield from dialect.describe(replace(found, value=item), options)
                return
        yield findings.error(
            "signature_rejected",
            f"get_tools of {found.toolset or found.variable} offers {type(item).__name__} {item!r}, which is no tool",
            path=found.file,
            line=found.line,
            hint="offer tools, such as those of Tool.from_callable",
        )

    def _describe_tool(
        self, tool: ToolView, found: Found, options: Options
    ) -> Iterator[BoundTool | Finding]:
        line = function_line(tool.declared) or found.line
        usable = True
        for message, hint, costs_tool in tool.problems:
            report = findings.error if costs_tool else findings.warning
            usable = usable and not costs_tool
            yield report("option_invalid", f"tool {tool.name!r}: {message}", path=found.file, line=line, hint=hint)
        if not callable(tool.declared):
            usable = False
            kind = type(tool.declared).__name__
            yield findings.error(
                "decorator_misplaced",
                f"@tool stands above a {kind}, which is no function",
                path=found.file,
                line=line,
                hint=f"put @{kind} above @tool, or use @tool_method in a Toolset",
            )
        if not tool.name:
            usable = False
            yield findings.error("name_invalid", "a tool has no name", path=found.file, line=line)
        if not usable:
            return
        if tool.former_name is not None:
            yield findings.info(
                "name_invalid",
                f"tool {tool.name!r} keeps its name; the {self.name} package offers it as {tool.former_name!r}",
                path=found.file,
                line=line,
                hint="use the name as it is written in prompts",
            )
        if tool.schema is not None:
            yield self._bind(tool, found, line, options, tool.schema, None, [])
            return
        yield from self._describe_function(tool, found, line, options)

    def _describe_function(
        self, tool: ToolView, found: Found, line: int | None, options: Options
    ) -> Iterator[BoundTool | Finding]:
        def rejected(message: str, code: findings.FindingCode = "signature_rejected") -> Finding:
            return findings.error(code, message, path=found.file, line=line, tools=(tool.name,))

        try:
            read = signature.read(tool.declared)
        except (TypeError, ValueError) as error:
            yield rejected(f"the parameters of tool {tool.name!r} cannot be read: {error}")
            return
        unresolved = {name: why for name, why in read.unresolved.items() if name not in tool.hidden}
        returns = unresolved.pop(RETURN, None)
        for name, why in unresolved.items():
            yield rejected(
                f"the type of parameter {name!r} of tool {tool.name!r} cannot be resolved: {why}",
                "parameter_unresolved",
            )
        if unresolved:
            return
        try:
            arguments = describe_arguments(tool, read)
        except SchemaRejected as error:
            which = f"parameter {error.parameter!r} of " if error.parameter else ""
            yield rejected(f"{which}tool {tool.name!r} cannot be described: {error.reason}")
            return
        if returns is not None:
            yield findings.warning(
                "return_unresolved",
                f"the return type of tool {tool.name!r} cannot be resolved: {returns}",
                path=found.file,
                line=line,
            )
        for name, why in arguments.omitted.items():
            yield findings.info(
                "signature_rejected",
                f"parameter {name!r} of tool {tool.name!r} is not offered and keeps its default: {why}",
                path=found.file,
                line=line,
            )
        aliases = _aliases(tuple(each for each in read.parameters if each.name not in tool.hidden))
        yield self._bind(tool, found, line, options, arguments.json_schema, arguments.validator, aliases)

    def _bind(
        self,
        tool: ToolView,
        found: Found,
        line: int | None,
        options: Options,
        schema: dict[str, Any],
        validator: ArgumentsValidator | None,
        aliases: list[tuple[str, str]],
    ) -> BoundTool:
        catch = tool.catch
        if catch is None:
            catch = True if options.catch_default == "all" else DOCUMENTED_CATCH
        # The toolset that offers the tool, and the one whose method it is where that is another.
        offering = [found.value] if isinstance(found.value, self._toolsets.present()) else []
        instances = [*offering, tool.owner] if tool.owner not in (None, *offering) else offering
        function = tool.function
        module = announcing_module(stand_in=tool.stand_in)
        if module is not None:
            function = announced(tool.name, function, module)
        plain = underlying(tool.function)
        asynchronous = inspect.iscoroutinefunction(plain) or inspect.isasyncgenfunction(plain)
        return BoundTool(
            definition={
                "name": tool.name,
                "description": tool.description,
                "parameters_schema": schema,
                "output_schema": None,
                "source": {"path": found.file, "line": line, "dialect": self.name, "toolset": found.toolset},
                "flags": {"asynchronous": asynchronous},
            },
            policy={
                "failure_style": "error_element",
                "catch": ("all" if catch else "none") if isinstance(catch, bool) else "listed",
                "truncate": tool.truncate,
                "offload": self.offload if tool.offload else None,
                "timeout": "unlimited",
                "validate_by_schema": validator is None,
                "aliases": aliases,
            },
            function=function,
            validator=validator,
            render=render,
            plain_text=True,
            asynchronous=asynchronous,
            catch=catch,
            stop=STOPS.present(),
            stop_tag=self.stop_tag,
            serial=serial_of(instances[-1]) if instances else None,
            enter=_enter(instances, found.file),
        )


class DreadnodeDialect(ToolDialect):
    """dreadnode's tools, and its toolsets."""

    name = "dreadnode"
    offload = ".dreadnode"
    stop_tag = "tool-stop"
    _tools = DREADNODE_TOOLS
    _methods = DREADNODE_METHODS
    _toolsets = TOOLSETS


def _enter(instances: Iterable[object], file: str) -> Enter | None:
    """What enters several toolsets, each before the next; `None` where none of them has to be entered."""
    steps = [step for instance in instances if (step := enter_of(instance, file)) is not None]
    if len(steps) < 2:
        return steps[0] if steps else None

    async def enter_all() -> None:
        for step in steps:
            await step()

    return enter_all


def _flattened(toolset: Any, classes: tuple[type, ...]) -> Iterator[Any]:
    for item in toolset.get_tools():
        if isinstance(item, classes):
            yield from _flattened(item, classes)
        else:
            yield item


DIALECT = DreadnodeDialect()
