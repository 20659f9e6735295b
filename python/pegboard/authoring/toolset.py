"""Owns tools that share state: a class whose methods are tools.

Must not enter, close or describe an instance; the runtime does.
"""

from __future__ import annotations

import builtins
import copy
import functools
import types
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, Generic, Literal, ParamSpec, TypeVar, overload

from pydantic import BaseModel, ConfigDict
from pydantic.fields import ModelPrivateAttr
from pydantic_core import PydanticUndefined

from .options import ToolOptions, Unset, read_options
from .tool import Catch, Tool

__all__ = ["ToolMethod", "Toolset", "tool_method"]

S = TypeVar("S")
P = ParamSpec("P")
R = TypeVar("R")


class ToolMethod(Generic[S, P, R]):
    """A method that a model may call. On an instance it is an ordinary bound method."""

    __name__: str

    def __init__(self, function: Callable[Concatenate[S, P], R], /, **options: Any) -> None:
        """Mark `function`; the options are those of `tool_method`."""
        if not callable(function):
            raise TypeError(f"a tool method needs a function, not {type(function).__name__} {function!r}")
        self.function = function
        """The function, with the instance as its first parameter."""
        self.options: ToolOptions
        """How the method was declared."""
        self.problems: tuple[str, ...]
        """What is wrong with the declaration; a method with problems is not loaded."""
        self.options, self.problems = read_options(options, method=True)
        functools.update_wrapper(self, function)

    @property
    def name(self) -> str:
        """The declared name, or the method's own."""
        return self.options.name if self.options.name is not None else self.__name__

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> ToolMethod[S, P, R]: ...

    @overload
    def __get__(self, instance: S, owner: type | None = None) -> Callable[P, R]: ...

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """The bound method, or this object on the class."""
        return self if instance is None else types.MethodType(self.function, instance)

    def __call__(self, instance: S, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function on `instance`, as `Class.method(instance)` does."""
        return self.function(instance, *args, **kwargs)

    def __getitem__(self, item: Any) -> Any:
        """Stand back for the builtin type of the same name.

        In the body of a class, a method named `list` hides the type from the annotations below it:
        `list[int]` would be an error of the whole file.
        """
        hidden = getattr(builtins, self.__name__, None)
        if isinstance(hidden, type):
            return hidden[item]  # type: ignore[index]
        raise TypeError(f"the tool method {self.__name__!r} cannot be subscripted")

    def __repr__(self) -> str:
        """Show the tool's name."""
        return f"<ToolMethod {self.name!r}>"


@overload
def tool_method(function: Callable[Concatenate[S, P], R], /) -> ToolMethod[S, P, R]: ...


@overload
def tool_method(
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
    variants: Iterable[str] | None = ...,
) -> Callable[[Callable[Concatenate[S, P], R]], ToolMethod[S, P, R]]: ...


def tool_method(function: Any = None, /, **options: Any) -> Any:
    """Make a tool of a method of a `Toolset`; the options are those of `tool`.

    `variants` names the variants of the toolset that have this tool.
    """
    if function is None:
        return functools.partial(ToolMethod, **options)
    if not callable(function):
        misplaced = f"the options go by keyword: {function!r} was given by position"

        def decorate(real: Callable[..., Any]) -> ToolMethod[Any, ..., Any]:
            made = ToolMethod(real, **options)
            made.problems += (misplaced,)
            return made

        return decorate
    return ToolMethod(function, **options)


def _has_default(declared: ModelPrivateAttr) -> bool:
    return declared.default_factory is not None or declared.default is not PydanticUndefined


def _private_default(declared: ModelPrivateAttr, values: dict[str, Any]) -> Any:
    factory: Any = declared.default_factory
    if factory is None:
        return copy.deepcopy(declared.default)
    return factory(values) if getattr(declared, "default_factory_takes_validated_data", False) else factory()


class Toolset(BaseModel):
    """A class whose `@tool_method` methods are tools that share one instance.

    It is a pydantic model: annotated fields, `PrivateAttr` and `model_post_init` work. A plain `__init__`
    that assigns attributes works too, with or without `super().__init__()`. A subclass that needs no
    arguments is built once per load; its instance lives as long as the host. If it is a context manager,
    sync or async, it is entered before its first call and left when the host closes.
    """

    model_config = ConfigDict(
        arbitrary_types_allowed=True,
        extra="forbid",
        # `None` takes an inherited tool away.
        ignored_types=(ToolMethod, Tool, type(None)),
        protected_namespaces=(),
    )

    concurrent: ClassVar[bool] = False
    """Whether sync calls into one instance may run at the same time."""

    variant: str | None = None
    """Which variant of the toolset this is; `None` has every tool."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Toolset:
        """Make an instance that takes attributes before, or without, `Toolset.__init__`."""
        made = super().__new__(cls)
        object.__setattr__(made, "__pydantic_fields_set__", set())
        object.__setattr__(made, "__pydantic_extra__", None)
        object.__setattr__(made, "__pydantic_private__", None)
        return made

    def __init__(self, **data: Any) -> None:
        """Set and check the fields; what was assigned before stays."""
        before = dict(self.__dict__)
        private = dict(self.__pydantic_private__ or {})
        fields = type(self).model_fields
        super().__init__(**{name: value for name, value in before.items() if name in fields} | data)
        for name, value in before.items():
            self.__dict__.setdefault(name, value)
        for name, value in private.items():
            super().__setattr__(name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        """Take any attribute, declared or not."""
        cls = type(self)
        if name in cls.__private_attributes__ and self.__pydantic_private__ is None:
            object.__setattr__(self, "__pydantic_private__", {})
        if (
            name.startswith("_")
            or name in cls.model_fields
            or hasattr(getattr(cls, name, None), "__set__")
            or name in cls.__class_vars__
        ):
            super().__setattr__(name, value)
        else:
            self.__dict__[name] = value

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            """The default of a field or private attribute that no `__init__` has set."""
            cls = type(self)
            declared = cls.__private_attributes__.get(name)
            if declared is not None:
                private = self.__pydantic_private__
                if (private is None or name not in private) and _has_default(declared):
                    setattr(self, name, _private_default(declared, self.__dict__))
                    return self.__pydantic_private__[name]
            elif (field := cls.__pydantic_fields__.get(name)) is not None and not field.is_required():
                default = field.get_default(call_default_factory=True, validated_data={})
                self.__dict__[name] = default
                return default
            return super().__getattr__(name)
