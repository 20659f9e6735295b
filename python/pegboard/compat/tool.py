"""Owns the stand-in for dreadnode's `Tool` and `@tool`, and the base that rigging's share with them.

Must not describe a tool when it is made: types that come later in the file are not there yet. The schema
is made when it is asked for, and a wrong option is kept as a problem instead of raised.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, Literal, ParamSpec, Self, TypeVar, overload

from pegboard.compat.configuration import Component
from pegboard.compat.options import DEFAULT_CATCH_EXCEPTIONS, Catch, OptionProblem, Options, read_options

if TYPE_CHECKING:
    from pegboard.compat.tool_call import ToolDefinition

P = ParamSpec("P")
R = TypeVar("R")

OFFLOAD_THRESHOLD = 30_000
TOOL_STOP_TAG = "tool-stop"
ToolChoice = str | dict[str, Any]
ToolMode = Literal["auto", "api", "xml", "json", "json-in-xml", "json-with-tag", "pythonic"]


class StandInTool(Generic[P, R]):
    """What `@tool` makes of a function: callable like the function, with what a model is told about it."""

    def __init__(
        self,
        *,
        name: str,
        description: str = "",
        parameters_schema: dict[str, Any] | None = None,
        fn: Callable[..., Any] | None = None,
        source: str = "builtin",
        namespace: Iterable[str] = (),
        **options: Any,
    ) -> None:
        """Makes a tool by hand; `parameters_schema` is the JSON Schema of its arguments."""
        if fn is None:
            parameters_schema = parameters_schema or {"type": "object", "properties": {}}
        self.name = name
        self.former_name: str | None = None
        """The name that the package would give it, where that is another."""
        self.description = self.__doc__ = inspect.cleandoc(description)
        self.fn: Callable[..., Any] = fn if fn is not None else _nothing
        self.by_hand = parameters_schema is not None
        """Whether its schema is the author's own."""
        self._parameters_schema = parameters_schema
        self.catch: Catch = DEFAULT_CATCH_EXCEPTIONS
        self.truncate: int | None = None
        self.offload = True
        self.source = source
        self.namespace = tuple(namespace)
        self.owner: object | None = None
        """The instance whose method it is."""
        self.problems: tuple[OptionProblem, ...] = ()
        self._apply(read_options(options))

    def _apply(self, options: Options) -> None:
        if options.catch is not None:
            self.catch = options.catch
        if "truncate" in options.given:
            self.truncate = options.truncate
        if "offload" in options.given:
            self.offload = options.offload
        self.problems += options.problems

    @classmethod
    def from_callable(cls, fn: Callable[..., Any], **given: Any) -> Self:
        """Makes a tool of a function, with the options of `@tool`."""
        return cls.from_options(fn, read_options(given))

    @classmethod
    def from_options(cls, fn: Callable[..., Any], options: Options) -> Self:
        """Makes a tool of a function, with options that are read already."""
        own, former = cls._names_of(fn)
        made = cls(
            name=options.name or own, description=options.description or _doc_of(fn), fn=cls._wrapped(fn)
        )
        made.former_name = None if options.name else former
        made._apply(options)
        return made

    @classmethod
    def _wrapped(cls, fn: Callable[..., Any]) -> Callable[..., Any]:
        return fn.fn if isinstance(fn, StandInTool) else fn

    @classmethod
    def _names_of(cls, fn: Any) -> tuple[str, str | None]:
        """The name of a tool that is made of a function, and the name that the package gives it if that is
        another.
        """
        while isinstance(fn, functools.partial):
            fn = fn.func
        return str(getattr(fn, "__name__", None) or type(fn).__name__), None

    @property
    def __name__(self) -> str:
        """The tool's name, as a function has one."""
        return self.name

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        """The function, for whoever looks at signatures."""
        return self.fn

    @property
    def parameters_schema(self) -> dict[str, Any]:
        """The JSON Schema of the arguments."""
        if self._parameters_schema is None:
            from pegboard.dialects.dreadnode_objects import view
            from pegboard.dialects.dreadnode_schema import parameters_schema

            self._parameters_schema = parameters_schema(view(self))
        return self._parameters_schema

    @parameters_schema.setter
    def parameters_schema(self, schema: dict[str, Any]) -> None:
        self._parameters_schema = schema
        self.by_hand = True

    @property
    def definition(self) -> ToolDefinition:
        """The tool as a provider is shown it."""
        from pegboard.compat.tool_call import FunctionDefinition, ToolDefinition

        return ToolDefinition(
            function=FunctionDefinition(
                name=self.name, description=self.description, parameters=self.parameters_schema
            )
        )

    api_definition = definition

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Calls the function."""
        result: R = self.fn(*args, **kwargs)
        return result

    def clone(self) -> Self:
        """A copy that can be changed apart."""
        new = type(self).__new__(type(self))
        new.__dict__.update(self.__dict__)
        return new

    def with_(self, **given: Any) -> Self:
        """A copy with other options; those that are not given, or `None`, stay."""
        new = self.clone()
        options = read_options(given)
        new.name = options.name or self.name
        new.former_name = None if options.name else self.former_name
        new.description = new.__doc__ = options.description or self.description
        new._apply(options)
        return new

    def __repr__(self) -> str:
        """The kind and the name."""
        return f"{type(self).__name__}(name={self.name!r})"


def _nothing(*args: Any, **kwargs: Any) -> None:
    return None


def _doc_of(fn: Callable[..., Any]) -> str:
    if isinstance(fn, StandInTool):
        return fn.description
    doc = getattr(fn, "__doc__", None)
    if not isinstance(doc, str) or (not isinstance(fn, type) and doc == type(fn).__doc__):
        doc = getattr(type(fn).__call__, "__doc__", None) if not inspect.isroutine(fn) else None
    return doc or ""


class Tool(StandInTool[P, R]):
    """dreadnode's tool. Its `fn` supplies `Config` and `Context` parameters itself."""

    @classmethod
    def _wrapped(cls, fn: Callable[..., Any]) -> Callable[..., Any]:
        inner = super()._wrapped(fn)
        return inner if isinstance(inner, Component) or not callable(inner) else Component(inner)

    @classmethod
    def _names_of(cls, fn: Any) -> tuple[str, str | None]:
        own, _ = super()._names_of(fn)
        former = rewritten_name(own)
        name = own if _ON_THE_WIRE.fullmatch(own) else former or own
        return name, former if former and former != name else None


_ON_THE_WIRE = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def rewritten_name(name: str) -> str:
    """The name as the dreadnode package rewrites every name: lower case, each run of other characters as one
    underscore.

    Prompts may use it. A name that providers accept is kept all the same; only another is rewritten like
    this, and where that leaves nothing, it is kept too and the host finds one for the wire.
    """
    return re.sub(r"[^a-z0-9/@.]+", "_", name.lower()).strip("_")


@overload
def tool(func: Callable[P, R], /) -> Tool[P, R]: ...


@overload
def tool(func: None = None, /, **options: Any) -> Callable[[Callable[P, R]], Tool[P, R]]: ...


def tool(func: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Make a tool of a function.

    Args:
        func: The function, where the decorator stands without brackets.
        options: `name`, `description`, `catch`, `truncate`, as the framework's page says.
    """
    if func is not None:
        return Tool.from_callable(func, **options)
    return lambda decorated: Tool.from_callable(decorated, **options)
