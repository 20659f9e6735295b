"""Owns turning a function with its declaration into a bound tool, by pegboard's own rules.

Must not know the objects of any dialect: it gets functions and options.
"""

from __future__ import annotations

import inspect
import json
import types
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Generator,
    Iterator,
)
from dataclasses import dataclass
from typing import Annotated, Any, Union, get_args, get_origin

from pegboard.authoring.content import Audio, Image, Resource
from pegboard.authoring.context import Context
from pegboard.authoring.options import ToolOptions, Unset
from pegboard.authoring.stop import Stop

from . import docstring, schema
from .bound import BoundTool
from .collect import Found
from .findings import Finding, error, warning
from .lines import function_line
from .render import render
from .signature import EMPTY, RETURN, Kind, Parameter, Signature, read, underlying

__all__ = ["Declaration", "aliases", "describe", "is_asynchronous"]

_OFFLOAD_FOLDER = ".pegboard"
_CONTENT = (Image, Audio, Resource, bytes, bytearray, memoryview)


@dataclass(frozen=True, slots=True)
class Declaration:
    """A function that is to become a tool."""

    function: Callable[..., Any]
    """Without the receiver: a bound method for the tool of a toolset."""
    name: str
    options: ToolOptions
    problems: tuple[str, ...] = ()
    """What is wrong with the options."""
    owner: type | None = None
    """The class of a method."""
    serial: int | None = None
    enter: Callable[[], Awaitable[None]] | None = None


def describe(found: Found, declared: Declaration, dialect: str) -> Iterator[BoundTool | Finding]:
    """The bound tool, if there can be one, and the findings about it."""
    subject = _Subject(found, declared, dialect)
    if declared.problems:
        yield from (subject.error("option_invalid", problem) for problem in declared.problems)
        return
    if not declared.name.strip() or declared.name == "<lambda>" or not declared.name.isprintable():
        yield subject.error(
            "name_invalid", f"the name {declared.name!r} cannot be used", hint="give one: name=…"
        )
        return
    try:
        signature = read(declared.function, owner=declared.owner)
    except (TypeError, ValueError) as reason:
        yield subject.error("signature_rejected", f"its signature cannot be read: {reason}")
        return
    yield from subject.describe(signature)


class _Subject:
    """One tool under description."""

    def __init__(self, found: Found, declared: Declaration, dialect: str) -> None:
        self.found = found
        self.declared = declared
        self.dialect = dialect
        self.line = function_line(declared.function) or found.line

    def error(self, code: Any, message: str, hint: str | None = None) -> Finding:
        return error(
            code,
            f"the tool {self.declared.name!r} was left out: {message}",
            path=self.found.file,
            line=self.line,
            hint=hint,
            tools=[self.declared.name],
        )

    def warning(self, code: Any, message: str) -> Finding:
        text = f"the tool {self.declared.name!r}: {message}"
        return warning(code, text, path=self.found.file, line=self.line)

    def describe(self, signature: Signature) -> Iterator[BoundTool | Finding]:
        options = self.declared.options
        context = next((each for each in signature.parameters if _is_context(each.annotation)), None)
        if context is not None and context.kind is Kind.POSITIONAL_ONLY:
            yield self.error(
                "signature_rejected",
                f"the context {context.name!r} is a positional-only parameter",
                hint="move it behind the `/`: it is passed by keyword",
            )
            return
        parameters = tuple(each for each in signature.parameters if each is not context)
        doc = docstring.split(
            underlying(self.declared.function).__doc__, [each.name for each in signature.parameters]
        )
        if options.parameters is not None:
            arguments = None
            try:
                parameters_schema = json.loads(json.dumps(options.parameters, allow_nan=False))
            except (TypeError, ValueError) as reason:
                yield self.error("option_invalid", f"the option parameters is not JSON: {reason}")
                return
        else:
            unresolved = {name: why for name, why in signature.unresolved.items() if name != RETURN}
            if unresolved:
                for name, why in unresolved.items():
                    yield self.error("parameter_unresolved", f"the type of its parameter {name!r}: {why}")
                return
            try:
                arguments = schema.arguments(
                    parameters,
                    descriptions=doc.parameters,
                    module=self.found.module.__name__,
                    title=self.declared.name,
                    exact_numbers=True,
                )
            except schema.SchemaRejected as rejected:
                of = f"its parameter {rejected.parameter!r}" if rejected.parameter else "its parameters"
                yield self.error("signature_rejected", f"{of} cannot be described: {rejected.reason}")
                return
            for name, why in arguments.omitted.items():
                yield self.warning(
                    "signature_rejected",
                    f"its parameter {name!r} always has its default, for it has no JSON form: {why}",
                )
            parameters_schema = arguments.json_schema
        if RETURN in signature.unresolved:
            yield self.warning("return_unresolved", f"its return type: {signature.unresolved[RETURN]}")
        yield BoundTool(
            definition={
                "name": self.declared.name,
                "description": doc.text if options.description is None else options.description,
                "parameters_schema": parameters_schema,
                "output_schema": schema.output(
                    _returned(signature.returns), module=self.found.module.__name__
                ),
                "source": {
                    "path": self.found.file,
                    "line": self.line,
                    "dialect": self.dialect,
                    "toolset": self.found.toolset,
                },
                "flags": {
                    "asynchronous": is_asynchronous(self.declared.function),
                    "parallel": options.parallel,
                    "max_calls_per_run": options.max_calls_per_run,
                    "strict": options.strict,
                    "target": options.target,
                    **({} if options.annotations is None else {"annotations": options.annotations}),
                },
            },
            policy=_policy(options, arguments is None, aliases(parameters)),
            function=self.declared.function,
            validator=None if arguments is None else arguments.validator,
            render=render,
            plain_text=True,
            asynchronous=is_asynchronous(self.declared.function),
            context_parameter=None if context is None else context.name,
            catch=options.catch,
            stop=(Stop,),
            serial=self.declared.serial,
            enter=self.declared.enter,
        )


def _policy(options: ToolOptions, by_schema: bool, aliases: list[tuple[str, str]]) -> dict[str, Any]:
    timeout: Any = "host"
    if options.timeout_seconds is None:
        timeout = "unlimited"
    elif not isinstance(options.timeout_seconds, Unset):
        timeout = {"seconds": options.timeout_seconds}
    return {
        "failure_style": "json",
        "catch": "listed" if isinstance(options.catch, tuple) else "all" if options.catch else "none",
        "truncate": options.truncate,
        "offload": _OFFLOAD_FOLDER if options.offload else None,
        "timeout": timeout,
        "validate_by_schema": by_schema,
        "aliases": aliases,
    }


def aliases(parameters: tuple[Parameter, ...]) -> list[tuple[str, str]]:
    """Parameters that the schema shows under another name: the name in Python and that in the schema."""
    from pydantic.fields import FieldInfo

    pairs: list[tuple[str, str]] = []
    for parameter in parameters:
        metadata = getattr(parameter.annotation, "__metadata__", ())
        names = [
            item.validation_alias or item.alias
            for item in (*metadata, parameter.default)
            if isinstance(item, FieldInfo)
        ]
        pairs += [(parameter.name, name) for name in names if isinstance(name, str)]
    return pairs


def _is_context(annotation: Any) -> bool:
    origin = get_origin(annotation)
    if origin is Annotated:
        return _is_context(annotation.__origin__)
    if origin is Union or origin is types.UnionType:
        return any(_is_context(argument) for argument in get_args(annotation))
    return isinstance(annotation, type) and issubclass(annotation, Context)


def is_asynchronous(function: Callable[..., Any]) -> bool:
    """Whether a function has to be called on the event loop's thread."""
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return True
    called = getattr(type(function), "__call__", None)  # noqa: B004 - the method itself is wanted
    return inspect.iscoroutinefunction(called) or inspect.isasyncgenfunction(called)


def _returned(annotation: Any) -> Any:
    """The type of the value that a model gets, from the type that the function declares."""
    if annotation is EMPTY:
        return EMPTY
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Awaitable, Coroutine) and arguments:
        return _returned(arguments[-1])
    if origin in (AsyncIterator, AsyncIterable, AsyncGenerator, Iterator, Generator) and arguments:
        return list[arguments[0]]  # type: ignore[valid-type]
    return EMPTY if _has_content(annotation) else annotation


def _has_content(annotation: Any) -> bool:
    """Whether the value may be shown as content rather than as JSON."""
    if isinstance(annotation, type) and not get_args(annotation):
        return issubclass(annotation, _CONTENT)
    if get_origin(annotation) in (dict, types.MappingProxyType):
        return False
    return any(_has_content(argument) for argument in get_args(annotation))
