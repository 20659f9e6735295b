"""Owns functions as tools: the decorator and the object that it makes.

Must not read signatures or build schemas: a file may declare tools that are never loaded.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterable
from typing import Any, Generic, Literal, ParamSpec, TypeVar, cast, overload

from .options import ToolOptions, Unset, read_options

__all__ = ["Tool", "tool"]

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

Catch = bool | type[BaseException] | Iterable[type[BaseException]]


class Tool(Generic[P, R_co]):
    """A function that a model may call; calling the object calls the function."""

    __name__: str
    __qualname__: str
    __wrapped__: Callable[P, R_co]

    def __init__(self, function: Callable[P, R_co], /, **options: Any) -> None:
        """Make a tool of `function`; the options are those of `tool`."""
        if not callable(function):
            raise TypeError(f"a tool needs a function, not {type(function).__name__} {function!r}")
        self.function = function
        """The function that is called."""
        self.options: ToolOptions
        """How the tool was declared."""
        self.problems: tuple[str, ...]
        """What is wrong with the declaration; a tool with problems is not loaded."""
        self.options, self.problems = read_options(options)
        functools.update_wrapper(cast(Any, self), function)

    @property
    def name(self) -> str:
        """The declared name, or the function's own."""
        if self.options.name is not None:
            return self.options.name
        inner: Any = self.function
        while isinstance(inner, functools.partial):
            inner = inner.func
        return str(getattr(inner, "__name__", type(inner).__name__))

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Call the function."""
        return self.function(*args, **kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """Behave like the function where it stands in a class, although it is no tool there."""
        return self if instance is None else types.MethodType(self, instance)

    def __repr__(self) -> str:
        """Show the tool's name."""
        return f"<Tool {self.name!r}>"


@overload
def tool(function: Callable[P, R], /) -> Tool[P, R]: ...


@overload
def tool(
    *,
    name: str | None = ...,
    description: str | None = ...,
    catch: Catch = ...,
    truncate: int | None = ...,
    offload: bool = ...,
    timeout_seconds: float | Unset | None = ...,
    parallel: bool = ...,
    max_calls_per_run: int | None = ...,
    parameters: dict[str, Any] | None = ...,
    strict: bool = ...,
    target: Literal["server", "client"] = ...,
    annotations: dict[str, Any] | None = ...,
) -> Callable[[Callable[P, R]], Tool[P, R]]: ...


def tool(function: Any = None, /, **options: Any) -> Any:
    """Make a tool of a function: `@tool`, or `@tool(...)` with options.

    `name` and `description` replace the function's own. `catch` says which exceptions become failures that
    the model sees: all (the default), none, or those listed; others end the turn. `truncate` is the most
    characters of output; `offload=False` keeps long output from being moved to a file. `timeout_seconds`
    replaces the host's limit, `None` is without one. `parallel=False` keeps calls of one run apart;
    `max_calls_per_run` bounds their number. `parameters` is a JSON Schema in place of one made from the
    signature; the arguments then arrive as plain JSON values. `strict=True` asks providers to hold the
    model to the schema. `target="client"` leaves the execution to the application.
    `annotations` tell MCP clients of the tool's effects: `{"readOnlyHint": True}`.

    A wrong option does not raise here; the tool is then not loaded, and a diagnostic says why.
    """
    if function is None:
        return functools.partial(_decorate, **options)
    if isinstance(function, classmethod):
        return _decorate(function, **options)
    if not callable(function):
        misplaced = f"the options go by keyword: {function!r} was given by position"

        def decorate(real: Callable[..., Any]) -> Tool[..., Any]:
            made = Tool(real, **options)
            made.problems += (misplaced,)
            return made

        return decorate
    return Tool(function, **options)


def _decorate(function: Any, **options: Any) -> Tool[..., Any]:
    """Make a tool of what stands below the decorator; a class method is not a function yet."""
    if not isinstance(function, classmethod):
        return Tool(function, **options)
    made = Tool(function.__func__, **options)
    made.problems += ("it stands above @classmethod, and a class method has no class yet: put it below",)
    return made
