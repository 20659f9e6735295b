"""Owns calling a bound tool the way a runner does, as far as Python alone decides: validate, run, render.

Repairing arguments, cutting and offloading are the host's business and not done here. Another caller with
the same `call` can take this one's place.
"""

from __future__ import annotations

import asyncio
import inspect
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from pegboard.runtime.bound import BoundTool, Rendered

MISSING = {"missing_keyword_only_argument": "missing_argument"}
"""Arguments are always given by name, so a missing one is missing whatever the kind of its parameter."""


@dataclass(frozen=True)
class Outcome:
    """What a call yields. Exactly one of `text`, `failure` and `raised` is there."""

    text: str | None = None
    stop: bool = False
    failure: str | None = None
    """The class of the exception."""
    message: str | None = None
    problems: tuple[tuple[str, str], ...] = ()
    """What is wrong with the arguments: place (dotted) and code."""
    raised: str | None = None
    """The class of an exception that the tool's policy does not catch."""


def call(tool: BoundTool, arguments: str) -> Outcome:
    assert tool.validator is not None
    text = "{}" if arguments.strip() in ("", "null") else arguments
    try:
        args, kwargs = tool.validator.validate_json(text.encode())
    except ValidationError as error:
        return _rejected(tool, error)
    return asyncio.run(_run(tool, args, kwargs))


def _rejected(tool: BoundTool, error: ValidationError) -> Outcome:
    details = error.errors(include_url=False, include_context=False, include_input=False)
    problems = tuple(
        (".".join(map(str, detail["loc"])), MISSING.get(detail["type"], detail["type"])) for detail in details
    )
    kind = "JSONDecodeError" if problems[0][1] == "json_invalid" else "ValidationError"
    if tool.catch is False:
        return Outcome(raised=kind)
    return Outcome(failure=kind, problems=() if kind == "JSONDecodeError" else problems)


async def _run(tool: BoundTool, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Outcome:
    try:
        if tool.asynchronous:
            value = tool.function(*args, **kwargs)
        else:
            value, error = await asyncio.to_thread(_called, tool.function, args, kwargs)
            if error is not None:
                raise _Carried(error)
        while inspect.isawaitable(value):
            value = await value
        if inspect.isasyncgen(value):
            value = [item async for item in value]
        elif inspect.isgenerator(value):
            value = list(value)
    except _Carried as carried:
        return _failed(tool, carried.error)
    except BaseException as error:
        return _failed(tool, error)
    return _rendered(tool, value)


class _Carried(Exception):  # noqa: N818 - a vehicle
    """An exception on its way out of a thread; some cannot pass a future."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


def _called(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, BaseException | None]:
    try:
        return function(*args, **kwargs), None
    except BaseException as error:
        return None, error


def _rendered(tool: BoundTool, value: Any) -> Outcome:
    try:
        shown = value if tool.plain_text and type(value) is str else tool.render(value)
        if isinstance(shown, Rendered):
            shown = shown.text
        return Outcome(text=shown.decode() if isinstance(shown, bytes) else shown.encode().decode())
    except tool.stop as error:
        return _failed(tool, error)
    except Exception:
        return Outcome(failure="not_serializable")


def _failed(tool: BoundTool, error: BaseException) -> Outcome:
    if isinstance(error, tool.stop):
        return Outcome(text=f"<{tool.stop_tag}>{error}</{tool.stop_tag}>", stop=True)
    kind = type(error).__name__
    caught = tool.catch is True or (tool.catch is not False and isinstance(error, tool.catch))
    if isinstance(error, Exception) and not caught:
        return Outcome(raised=kind)
    try:
        return Outcome(failure=kind, message=str(error))
    except Exception:
        return Outcome(failure=kind)
