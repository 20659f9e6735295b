"""Owns the reading of a function's parameters: names, kinds, defaults and fully resolved types.

Must not turn types into schemas, and must not give up a whole function for one type: what cannot be
resolved is reported by name, and the caller decides what that costs.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import sys
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["EMPTY", "RETURN", "Parameter", "Signature", "read", "underlying"]

EMPTY: Any = inspect.Parameter.empty
"""Stands for an absent annotation or default."""

RETURN = "return"
"""The key of the return type in `Signature.unresolved`; no parameter can have this name."""

Kind = inspect._ParameterKind


@dataclass(frozen=True, slots=True)
class Parameter:
    """One declared parameter."""

    name: str
    kind: Kind
    annotation: Any = EMPTY
    """The resolved type with its `Annotated` metadata, or `EMPTY`."""
    default: Any = EMPTY

    @property
    def required(self) -> bool:
        """Whether a call has to bring it, as far as the signature tells."""
        return self.default is EMPTY and self.kind not in (Kind.VAR_POSITIONAL, Kind.VAR_KEYWORD)


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a function, and what could not be resolved."""

    parameters: tuple[Parameter, ...]
    returns: Any = EMPTY
    unresolved: Mapping[str, str] = field(default_factory=dict)
    """Reasons by parameter name (or `RETURN`); the annotation of such a parameter is `EMPTY`."""


def underlying(function: Callable[..., Any]) -> Callable[..., Any]:
    """The plain function below wrappers, partials, bound methods and callable objects."""
    seen = 0
    while seen < 100:
        seen += 1
        inner: Any
        if isinstance(function, functools.partial):
            inner = function.func
        elif isinstance(function, types.MethodType):
            inner = function.__func__
        elif hasattr(function, "__wrapped__"):
            inner = function.__wrapped__
        elif not isinstance(function, types.FunctionType | type) and isinstance(
            vars(type(function)).get("__call__"), types.FunctionType
        ):
            inner = type(function).__call__
        else:
            break
        function = inner
    return function


def read(function: Callable[..., Any], *, owner: type | None = None, skip_first: bool = False) -> Signature:
    """Read the signature of `function` with its types resolved in the module that defines it.

    `owner` is the class of a method: its scope is looked at last, so that a method named `list` does not
    hide the type. `skip_first` leaves out the receiver of a function that is not bound yet.

    Raises `ValueError` or `TypeError` where Python itself knows no signature.
    """
    declared = _declared(function)
    parameters = list(declared.parameters.values())
    if skip_first and parameters:
        parameters = parameters[1:]
    raw = {
        parameter.name: _unshadowed(parameter.annotation, owner)
        for parameter in parameters
        if parameter.annotation is not EMPTY
    }
    if declared.return_annotation is not EMPTY:
        raw[RETURN] = _unshadowed(declared.return_annotation, owner)
    hints, unresolved = _resolve(raw, underlying(function), owner)
    return Signature(
        tuple(
            Parameter(parameter.name, parameter.kind, hints.get(parameter.name, EMPTY), parameter.default)
            for parameter in parameters
        ),
        hints.get(RETURN, EMPTY),
        unresolved,
    )


def _declared(function: Callable[..., Any]) -> inspect.Signature:
    if sys.version_info >= (3, 14):
        from annotationlib import Format

        try:
            return inspect.signature(function, annotation_format=Format.FORWARDREF)
        except Exception:
            return inspect.signature(function, annotation_format=Format.STRING)
    return inspect.signature(function)


def _unshadowed(annotation: Any, owner: type | None) -> Any:
    """The builtin type, where a method of the same name stands in its place."""
    if owner is None or annotation is None or isinstance(annotation, str | type):
        return annotation
    for scope in owner.__mro__:
        for name, value in vars(scope).items():
            if value is annotation and hasattr(builtins, name):
                return getattr(builtins, name)
    return annotation


def _resolve(
    raw: dict[str, Any], function: Callable[..., Any], owner: type | None
) -> tuple[dict[str, Any], dict[str, str]]:
    # A plain class needs no evaluation, and most annotations are plain classes.
    pending = {name: value for name, value in raw.items() if type(value) is not type}
    if not pending:
        return raw, {}
    module_names = getattr(function, "__globals__", None)
    if module_names is None:
        module_names = vars(sys.modules.get(function.__module__, builtins))
    local_names = _enclosing_names(function)
    try:
        return raw | _hints(pending, module_names, local_names), {}
    except Exception:
        # Something in there does not resolve; find out which, one at a time.
        pass
    hints = {name: value for name, value in raw.items() if name not in pending}
    unresolved: dict[str, str] = {}
    for name, value in pending.items():
        one = {name: value}
        try:
            hints |= _hints(one, module_names, local_names)
        except Exception as failure:
            try:
                hints |= _hints(one, module_names, _class_names(owner) | local_names)
            except Exception:
                unresolved[name] = _reason(failure)
    return hints, unresolved


def _hints(raw: dict[str, Any], module_names: dict[str, Any], local_names: dict[str, Any]) -> dict[str, Any]:
    def holder() -> None: ...

    holder.__annotations__ = raw
    return typing.get_type_hints(holder, module_names, local_names or None, include_extras=True)


def _enclosing_names(function: Callable[..., Any]) -> dict[str, Any]:
    """Type parameters, and the variables of an enclosing function that the function closes over."""
    names = {parameter.__name__: parameter for parameter in getattr(function, "__type_params__", ())}
    code = getattr(function, "__code__", None)
    cells = getattr(function, "__closure__", None)
    if code is not None and cells:
        for name, cell in zip(code.co_freevars, cells, strict=False):
            try:
                names[name] = cell.cell_contents
            except ValueError:  # not assigned yet
                continue
    return names


def _class_names(owner: type | None) -> dict[str, Any]:
    names: dict[str, Any] = {}
    for scope in reversed(owner.__mro__ if owner is not None else ()):
        names.update((name, value) for name, value in vars(scope).items() if not hasattr(builtins, name))
    return names


def _reason(failure: Exception) -> str:
    if isinstance(failure, NameError) and failure.name:
        return f"the name {failure.name!r} is not defined where the function is"
    return f"{type(failure).__name__}: {failure}"
