"""Owns the dreadnode dialect: how its tools and toolsets become bound tools, by the framework's tools page.

Must not recognise classes, build schemas or write values itself; the modules beside it do.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from pegboard.dialects import Options, dialects
from pegboard.dialects.dreadnode_calls import announced, announcing_module
from pegboard.dialects.dreadnode_instances import enter_all_of, serial_of
from pegboard.dialects.dreadnode_objects import (
    DREADNODE_METHODS,
    DREADNODE_TOOLS,
    STOPS,
    TOOLSETS,
    Classes,
    ToolView,
    hidden_methods,
    misplaced_tools,
    offers_tools,
    view,
)
from pegboard.dialects.dreadnode_schema import describe as describe_arguments
from pegboard.dialects.dreadnode_values import render
from pegboard.runtime import findings, signature
from pegboard.runtime.bound import ArgumentsValidator, BoundTool
from pegboard.runtime.collect import Found
from pegboard.runtime.describe import aliases, is_asynchronous
from pegboard.runtime.exceptions import summary
from pegboard.runtime.findings import Finding, FindingCode
from pegboard.runtime.lines import function_line
from pegboard.runtime.schema import SchemaRejected
from pegboard.runtime.signature import RETURN

DOCUMENTED_CATCH: tuple[type[BaseException], ...] = (json.JSONDecodeError, ValidationError)
"""What a tool catches that does not say, by the page."""


@dataclass(frozen=True, slots=True)
class _Described:
    """A tool with all that has been found out about its arguments."""

    tool: ToolView
    schema: dict[str, Any]
    validator: ArgumentsValidator | None = None
    aliases: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a tool or toolset is, for what is said about it."""

    file: str
    line: int | None
    tools: tuple[str, ...] = ()

    def error(self, code: FindingCode, message: str, hint: str | None = None) -> Finding:
        return findings.error(code, message, path=self.file, line=self.line, hint=hint, tools=self.tools)

    def warning(self, code: FindingCode, message: str, hint: str | None = None) -> Finding:
        return findings.warning(code, message, path=self.file, line=self.line, hint=hint)

    def info(self, code: FindingCode, message: str, hint: str | None = None) -> Finding:
        return findings.info(code, message, path=self.file, line=self.line, hint=hint)


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
            yield _Place(found.file, found.line, (found.variable,)).error(
                "decorator_misplaced",
                f"the function {found.variable!r} is decorated with @tool_method, but it is in no toolset",
                "decorate it with @tool",
            )
        else:
            yield from self._describe_toolset(found, options)

    def _describe_toolset(self, found: Found, options: Options) -> Iterator[BoundTool | Finding]:
        toolset: Any = found.value
        cls = type(toolset)
        place = _Place(found.file, found.line)
        enters = hasattr(cls, "__enter__") or hasattr(cls, "__aenter__")
        if enters != (hasattr(cls, "__exit__") or hasattr(cls, "__aexit__")):
            which = "entered, but not left" if enters else "left, but not entered"
            yield place.error(
                "toolset_not_built",
                f"the toolset {cls.__name__} can be {which}",
                "define __aenter__ and __aexit__, or __enter__ and __exit__",
            )
            return
        for name, tool in misplaced_tools(cls):
            yield _Place(found.file, function_line(tool) or found.line, (name,)).error(
                "decorator_misplaced",
                f"{cls.__name__}.{name} is a method decorated with @tool",
                "decorate it with @tool_method",
            )
        hidden = tuple(dict.fromkeys(hidden_methods(cls)))
        for name in hidden:
            instead: Any = getattr(cls, name)
            line = function_line(instead) if callable(instead) else None
            yield _Place(found.file, line or found.line, (name,)).error(
                "decorator_misplaced",
                f"{cls.__name__}.{name} overrides a tool, but is not decorated and therefore not offered",
                "decorate it with @tool_method",
            )
        try:
            offered = list(_flattened(toolset, self._toolsets.present()))
        except Exception as failure:
            yield place.error("toolset_not_built", f"{cls.__name__}.get_tools raised {summary(failure)}")
            return
        for item in offered:
            if inspect.ismethod(item) and item.__name__ in hidden:
                continue
            yield from self._describe_offered(item, found, options)

    def _describe_offered(self, item: Any, found: Found, options: Options) -> Iterator[BoundTool | Finding]:
        if isinstance(item, self._tools.present()):
            yield from self._describe_tool(view(item), found, options)
            return
        for dialect in dialects():
            if not isinstance(item, type) and dialect.owns(item):
                yield from dialect.describe(replace(found, value=item), options)
                return
        yield _Place(found.file, found.line).error(
            "signature_rejected",
            f"{type(found.value).__name__}.get_tools offers {item!r}, which is no tool",
            "offer tools; Tool.from_callable makes one of a function",
        )

    def _describe_tool(self, tool: ToolView, found: Found, options: Options) -> Iterator[BoundTool | Finding]:
        place = _Place(found.file, function_line(tool.declared) or found.line, (tool.name or found.variable,))
        usable = True
        for message, hint, costs_tool in tool.problems:
            usable = usable and not costs_tool
            report = place.error if costs_tool else place.warning
            yield report("option_invalid", f"the tool {tool.name!r}: {message}", hint)
        if not tool.name:
            usable = False
            yield place.error("name_invalid", f"the tool {found.variable!r} has no name", "give it one")
        if not callable(tool.declared):
            usable = False
            kind = type(tool.declared).__name__
            yield place.error(
                "decorator_misplaced",
                f"@tool stands above a {kind}, which is no function",
                f"put @{kind} above @tool, or use @tool_method in a Toolset",
            )
        if not usable:
            return
        if tool.former_name is not None:
            yield place.info(
                "name_invalid",
                f"the tool {tool.name!r} keeps its name, which {self.name} itself makes {tool.former_name!r}",
                f"write {tool.name} where a prompt says {tool.former_name}",
            )
        for made in self._arguments(tool, place):
            yield self._bind(made, found, place, options) if isinstance(made, _Described) else made

    def _arguments(self, tool: ToolView, place: _Place) -> Iterator[_Described | Finding]:
        left_out = f"the tool {tool.name!r} was left out: "
        if tool.schema is not None:
            if tool.schema.get("type", "object") != "object":
                yield place.error(
                    "signature_rejected",
                    f"{left_out}its schema is not that of an object",
                    "describe an object",
                )
                return
            yield _Described(tool, {"type": "object", "properties": {}, **tool.schema})
            return
        try:
            read = signature.read(tool.declared, owner=None if tool.owner is None else type(tool.owner))
        except (TypeError, ValueError) as failure:
            yield place.error("signature_rejected", f"{left_out}its parameters cannot be read: {failure}")
            return
        unresolved = {name: why for name, why in read.unresolved.items() if name not in tool.hidden}
        returns = unresolved.pop(RETURN, None)
        for name, why in unresolved.items():
            yield place.error("parameter_unresolved", f"{left_out}the type of its parameter {name!r}: {why}")
        if unresolved:
            return
        try:
            arguments = describe_arguments(tool, read)
        except SchemaRejected as rejected:
            of = f"its parameter {rejected.parameter!r}" if rejected.parameter else "its parameters"
            yield place.error("signature_rejected", f"{left_out}{of} cannot be described: {rejected.reason}")
            return
        if returns is not None:
            yield place.warning("return_unresolved", f"the tool {tool.name!r}: its return type: {returns}")
        for name, why in arguments.omitted.items():
            yield place.warning(
                "signature_rejected",
                f"the tool {tool.name!r}: its parameter {name!r} always has its default,"
                f" for it has no JSON form: {why}",
            )
        shown = tuple(parameter for parameter in read.parameters if parameter.name not in tool.hidden)
        yield _Described(tool, arguments.json_schema, arguments.validator, tuple(aliases(shown)))

    def _bind(self, described: _Described, found: Found, place: _Place, options: Options) -> BoundTool:
        tool = described.tool
        catch = tool.catch
        if catch is None:
            catch = True if options.catch_default == "all" else DOCUMENTED_CATCH
        # The toolset that offers the tool, and the one whose method it is where that is another.
        instances = [found.value] if isinstance(found.value, self._toolsets.present()) else []
        if tool.owner is not None and all(tool.owner is not instance for instance in instances):
            instances.append(tool.owner)
        asynchronous = is_asynchronous(tool.declared)
        function = tool.function
        module = announcing_module(stand_in=tool.stand_in)
        if module is not None:
            function = announced(tool, module)
        return BoundTool(
            definition={
                "name": tool.name,
                "description": tool.description,
                "parameters_schema": described.schema,
                "output_schema": None,
                "source": {
                    "path": found.file,
                    "line": place.line,
                    "dialect": self.name,
                    "toolset": found.toolset,
                },
                "flags": {"asynchronous": asynchronous},
            },
            policy={
                "failure_style": "error_element",
                "catch": ("all" if catch else "none") if isinstance(catch, bool) else "listed",
                "truncate": tool.truncate,
                "offload": self.offload if tool.offload else None,
                "timeout": "unlimited",
                "validate_by_schema": described.validator is None,
                "aliases": described.aliases,
            },
            function=function,
            validator=described.validator,
            render=render,
            plain_text=True,
            asynchronous=asynchronous,
            catch=catch,
            stop=STOPS.present(),
            stop_tag=self.stop_tag,
            serial=serial_of(instances[-1]) if instances else None,
            enter=enter_all_of(instances, found.file),
        )


class DreadnodeDialect(ToolDialect):
    """dreadnode's tools, and its toolsets."""

    name = "dreadnode"
    offload = ".dreadnode"
    stop_tag = "tool-stop"
    _tools = DREADNODE_TOOLS
    _methods = DREADNODE_METHODS
    _toolsets = TOOLSETS


def _flattened(toolset: Any, classes: tuple[type, ...]) -> Iterator[Any]:
    for item in toolset.get_tools():
        if isinstance(item, classes):
            yield from _flattened(item, classes)
        else:
            yield item


DIALECT = DreadnodeDialect()
