"""Owns the stand-in for dreadnode's `Toolset` and `@tool_method`; rigging shares the method.

Must not enter, close or describe an instance, and must not raise for what is wrong with a method: that
would cost the whole file.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, ClassVar, Self

from pydantic import ConfigDict

from pegboard import authoring
from pegboard.compat.configuration import Component, adopt_config_fields, injected_parameters
from pegboard.compat.options import read_options
from pegboard.compat.tool import StandInTool, Tool


class StandInToolMethod(property):
    """A method that is a tool on each instance; a `property`, which pydantic takes for no field."""

    tool_class: ClassVar[type[StandInTool[..., Any]]] = Tool

    def __init__(self, method: Any, given: dict[str, Any]) -> None:
        """Keeps the method, or a `staticmethod` or `classmethod` around it, with its options."""
        super().__init__(method)
        self.method = method
        options = read_options(given, method=True)
        function = getattr(method, "__func__", method)
        # Unlike a function's, a method's name is never rewritten.
        self.options = replace(options, name=options.name or getattr(function, "__name__", None))

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants of the toolset that have this method."""
        return self.options.variants or ("all",)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """The tool: bound to the instance, or around the bare function where the class is asked."""
        bound = self.method if instance is None else self.method.__get__(instance, owner)
        made = self.tool_class.from_options(self._supplied(bound), self.options)
        made.owner = instance
        return made

    def __getitem__(self, item: Any) -> Any:
        """Stands back for the builtin type that it hides from annotations: a method may be named `list`."""
        hidden = getattr(builtins, getattr(self.method, "__name__", ""), None)
        if isinstance(hidden, type):
            return hidden[item]  # type: ignore[index]
        raise TypeError(f"{self.method!r} cannot be subscripted")

    def _supplied(self, bound: Callable[..., Any]) -> Callable[..., Any]:
        return Component(bound) if injected_parameters(bound) else bound


class ToolMethod(StandInToolMethod):
    """dreadnode's tool method."""


def tool_method(func: Any = None, /, **options: Any) -> Any:
    """Make a method of a `Toolset` a tool.

    Args:
        func: The method, where the decorator stands without brackets.
        options: `name`, `description`, `catch`, `truncate` as for `@tool`, and `variants`, the names of
            the variants
            of the toolset that have it.
    """
    if func is not None:
        return ToolMethod(func, options)
    return lambda decorated: ToolMethod(decorated, options)


class Toolset(authoring.Toolset):
    """dreadnode's toolset: a pydantic model whose fields may be declared with `Config`, and whose methods are
    tools.
    """

    model_config = ConfigDict(
        extra="ignore",
        use_attribute_docstrings=True,
        # A misplaced @tool is for whoever describes the toolset to report, not for pydantic to refuse.
        ignored_types=(StandInTool, *authoring.Toolset.model_config["ignored_types"]),
    )

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Makes `Config` declarations fields."""
        super().__init_subclass__(**kwargs)
        adopt_config_fields(cls)

    @property
    def name(self) -> str:
        """The name of the class."""
        return type(self).__name__

    def configure(self, **overrides: Any) -> Self:
        """A copy with other values."""
        return self.model_copy(update=overrides)

    def with_(self, **overrides: Any) -> Self:
        """The older name of `configure`."""
        return self.model_copy(update=overrides)

    def get_tools(self, *, variant: str | None = None) -> list[Any]:
        """The tools of this instance, those of the class before those of its bases; an override takes the
        base's place.
        """
        wanted = variant or self.variant
        return [
            getattr(self, name)
            for name, method in tool_methods(type(self))
            if not is_hidden(type(self), name, method) and (not wanted or wanted in method.variants)
        ]


def tool_methods(cls: type) -> Iterator[tuple[str, StandInToolMethod]]:
    """The tool methods of a class and its bases by attribute name, each name once."""
    seen: set[str] = set()
    for scope in cls.__mro__:
        for name, value in vars(scope).items():
            if isinstance(value, StandInToolMethod) and name not in seen:
                seen.add(name)
                yield name, value


def is_hidden(cls: type, name: str, method: StandInToolMethod) -> bool:
    """Whether a subclass puts something in the method's place that is no tool, such as a method without the
    decorator.
    """
    return next(vars(scope)[name] for scope in cls.__mro__ if name in vars(scope)) is not method


def discover_tools_on_obj(obj: Any) -> list[Any]:
    """The tools of any object: those of a toolset, or the tool methods of another class."""
    if isinstance(obj, Toolset):
        return obj.get_tools()
    return [
        getattr(obj, name)
        for name, method in tool_methods(type(obj))
        if not is_hidden(type(obj), name, method)
    ]
