"""Calls a described tool with JSON text and answers as a host does; a real host can take this one's place."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pegboard.dialects.dendrux import DIALECT
from pegboard.runtime import drain, exceptions
from pegboard.runtime.bound import BoundTool, Rendered
from pegboard.runtime.problems import ArgumentsRefused

from .cases import CASES, describe, import_as_source


@dataclass(frozen=True)
class Answer:
    """What a model is told, whether the tool ran, and whether it returned a value that could be written."""

    text: str
    executed: bool
    success: bool


class Caller(Protocol):
    """Calls the tools of one file."""

    def has(self, tool: str) -> bool:
        """Whether the file offers a tool of this name."""
        ...

    def call(self, tool: str, arguments: str) -> Answer:
        """The answer to one call."""
        ...


class PythonCaller:
    """The Python half of a host: validator, function, renderer and reports, without a clock."""

    def __init__(self, file: str) -> None:
        module = import_as_source(Path(CASES, "calls", file))
        self._tools: dict[str, BoundTool] = {}
        for variable, value in vars(module).items():
            if DIALECT.owns(value):
                tool = describe(value, variable, module).tool
                if tool is not None:
                    self._tools[tool.name] = tool

    def has(self, tool: str) -> bool:
        """Whether the file offers a tool of this name."""
        return tool in self._tools

    def call(self, tool: str, arguments: str) -> Answer:
        """The answer to one call."""
        bound = self._tools[tool]
        assert bound.validator is not None
        try:
            args, kwargs = bound.validator.validate_json(arguments.encode())
        except ArgumentsRefused as refusal:
            no_object = refusal.problems[0]["code"] == "json_invalid"
            return _failure(str(refusal), "invalid_json" if no_object else "invalid_params", executed=False)
        try:
            value = _finished(bound.function(*args, **kwargs))
        except BaseException as error:
            return _reported(json.loads(exceptions.report(error, bound))["failure"])
        try:
            rendered = bound.render(value)
        except Exception as error:
            return _reported(json.loads(exceptions.report_render_failure(error, value, bound)))
        if isinstance(rendered, Rendered):
            return Answer(rendered.text, executed=True, success=True)
        text = rendered.decode() if isinstance(rendered, bytes) else rendered
        return Answer(text, executed=True, success=True)


def _reported(failure: dict[str, Any]) -> Answer:
    return _failure(failure["message"], None, executed=True)


def _failure(message: str, code: str | None, *, executed: bool) -> Answer:
    # The private package of a load has a number of its own.
    message = re.sub(r"\bpegboard_source_\d+\.", "", message)
    payload = {"error": message} | ({"code": code} if code else {})
    return Answer(json.dumps(payload), executed, success=False)


def _finished(value: Any) -> Any:
    """What comes back decides: an awaitable is awaited, a generator is drained."""
    if inspect.isawaitable(value):
        return _finished(asyncio.run(drain.finish(value)))
    if inspect.isasyncgen(value):
        return asyncio.run(drain.collect_async(value, 1000))
    return drain.collect(value, 1000) if inspect.isgenerator(value) else value
