"""Calls a described tool with JSON text and answers as a host does; a real host can take this one's place."""

from __future__ import annotations

import asyncio
import inspect
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from dendrux_cases import CASES, describe, import_file

from pegboard.dialects.dendrux import DIALECT
from pegboard.runtime.problems import ArgumentsRefused
from pegboard.runtime.bound import BoundTool, Rendered

_CODES = {"invalid_json": "invalid_json", "invalid_arguments": "invalid_params"}


@dataclass(frozen=True)
class Answer:
    """What a model is told, and whether the tool ran and returned."""

    text: str
    executed: bool
    success: bool


class Caller(Protocol):
    """Calls the tools of one file."""

    def call(self, tool: str, arguments: str) -> Answer:
        """The answer to one call."""
        ...


class PythonCaller:
    """Validator, function and renderer of the dialect, without a host's clock, threads and reports."""

    def __init__(self, file: str) -> None:
        path = Path(CASES, "calls", file)
        module = import_file(path)
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
            return _failure(str(refusal), _CODES[refusal.kind], executed=False)
        try:
            rendered = bound.render(_finished(bound.function(*args, **kwargs)))
        except Exception as error:
            return _failure(str(error), None, executed=True)
        if isinstance(rendered, Rendered):
            return Answer(rendered.text, executed=True, success=True)
        text = rendered.decode() if isinstance(rendered, bytes) else rendered
        return Answer(text, executed=True, success=True)


def _failure(message: str, code: str | None, *, executed: bool) -> Answer:
    payload = {"error": message} | ({"code": code} if code else {})
    return Answer(json.dumps(payload), executed, success=False)


def _finished(value: object) -> object:
    """What comes back decides: an awaitable is awaited, a generator is drained."""
    if inspect.isawaitable(value):
        return asyncio.run(_awaited(value))
    if inspect.isasyncgen(value):
        return asyncio.run(_collected(value))
    return list(value) if inspect.isgenerator(value) else value


async def _awaited(value: object) -> object:
    result = await value  # type: ignore[misc]
    return [item async for item in result] if inspect.isasyncgen(result) else _drained(result)


def _drained(value: object) -> object:
    return list(value) if inspect.isgenerator(value) else value


async def _collected(value: object) -> list[object]:
    return [item async for item in value]  # type: ignore[attr-defined]
