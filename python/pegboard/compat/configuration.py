"""Owns `Config`: values that whoever deploys a tool chooses, never the model, and what is made with them.

A `Config` stands where a parameter's or a field's default stands. Must not appear in a parameter schema.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import EllipsisType
from typing import Annotated, Any, Generic, ParamSpec, Self, TypeVar, get_args, get_origin

from pydantic import BaseModel, Field

from pegboard.compat.injection import UNSET, Context
from pegboard.runtime import signature

P = ParamSpec("P")
R = TypeVar("R")


class ConfigWarning(UserWarning):
    """A value was configured that nothing asks for."""


@dataclass(frozen=True, slots=True)
class ConfigInfo:
    """What `Config` returns: the settings of one configurable value, in the words of pydantic's `Field`."""

    field_kwargs: dict[str, Any] = field(default_factory=dict)
    expose_as: Any = None

    def with_default(self, default: Any) -> ConfigInfo:
        """The same settings with another default."""
        kept = {name: value for name, value in self.field_kwargs.items() if name != "default_factory"}
        return ConfigInfo({**kept, "default": default}, self.expose_as)

    def resolve(self, name: str) -> Any:
        """The value, for the parameter of this name.

        Raises:
            TypeError: nobody configured it and it has no default.
        """
        factory = self.field_kwargs.get("default_factory")
        if factory is not None:
            return factory()
        default = self.field_kwargs.get("default", UNSET)
        if default is UNSET or isinstance(default, EllipsisType):
            raise TypeError(f"{name!r} has to be configured and is not")
        return default


def Config(  # noqa: N802 - named like the field types that it stands beside
    default: Any = ...,
    *,
    key: str | None = UNSET,
    help: str | None = UNSET,
    description: str | None = UNSET,
    expose_as: Any = None,
    alias: str | None = UNSET,
    **settings: Any,
) -> Any:
    """Declare a configurable value.

    Args:
        default: The value where nobody configures another; `...` means that somebody has to.
        key: Another word for `alias`.
        help: Another word for `description`.
        description: What it is for.
        expose_as: The type to show to whoever configures it.
        alias: The name to configure it under.
        settings: Everything else that pydantic's `Field` takes.
    """
    if isinstance(default, ConfigInfo | Context):
        return default
    wanted = {"default": default, "description": description if help is UNSET else help}
    wanted["alias"] = alias if key is UNSET else key
    if "default_factory" in settings:
        del wanted["default"]
    given = {name: value for name, value in {**settings, **wanted}.items() if value is not UNSET}
    return ConfigInfo(given, expose_as)


def injected_parameters(func: Callable[..., Any]) -> dict[str, ConfigInfo | Context]:
    """The parameters that the runtime supplies: those declared with a `Config` or a `Context`."""
    try:
        parameters = inspect.signature(func).parameters
    except (TypeError, ValueError):
        return {}
    found: dict[str, ConfigInfo | Context] = {}
    for name, parameter in parameters.items():
        declared = _declared(parameter, func)
        if declared is not None:
            found[name] = declared
    return found


def _declared(parameter: inspect.Parameter, func: Callable[..., Any]) -> ConfigInfo | Context | None:
    default = parameter.default
    if isinstance(default, Context):
        default.parameter = parameter.name
        return default
    if isinstance(default, ConfigInfo):
        return default
    annotation = parameter.annotation
    if isinstance(annotation, str):
        if "Config" not in annotation:
            return None
        resolved = {each.name: each.annotation for each in signature.read(func).parameters}
        annotation = resolved[parameter.name]
    if get_origin(annotation) is not Annotated:
        return None
    for metadata in get_args(annotation)[1:]:
        if isinstance(metadata, ConfigInfo):
            return metadata if default is inspect.Parameter.empty else metadata.with_default(default)
    return None


class Component(Generic[P, R]):
    """A callable that supplies its own `Config` and `Context` parameters."""

    def __init__(
        self, func: Callable[P, R], *, overrides: Mapping[str, ConfigInfo | Context] | None = None
    ) -> None:
        """Wraps a function; `overrides` are settings that take the place of declared ones."""
        self.func = func
        self.name = getattr(func, "__name__", type(func).__name__)
        self._overrides = dict(overrides or {})
        self.__name__ = self.name
        self.__qualname__ = getattr(func, "__qualname__", self.name)
        self.__doc__ = func.__doc__
        self.__module__ = getattr(func, "__module__", __name__)
        self.__wrapped__ = func

    @cached_property
    def injected(self) -> dict[str, ConfigInfo | Context]:
        """The parameters that are supplied, by name."""
        return {**injected_parameters(self.func), **self._overrides}

    @property
    def signature(self) -> inspect.Signature:
        """The function's own signature, supplied parameters included."""
        return inspect.signature(self.func)

    def clone(self) -> Self:
        """A copy that can be configured apart."""
        return type(self)(self.func, overrides=self._overrides)

    def configure(self, **overrides: Any) -> Self:
        """A copy with other values; one that no parameter asks for is left out with a warning."""
        parameters = self.signature.parameters
        chosen = dict(self._overrides)
        for name, value in overrides.items():
            if name not in parameters:
                warnings.warn(f"{self.name} has no parameter {name!r}", ConfigWarning, stacklevel=2)
            elif isinstance(value, ConfigInfo | Context):
                chosen[name] = value
            else:
                declared = self.injected.get(name)
                info = declared if isinstance(declared, ConfigInfo) else ConfigInfo()
                chosen[name] = info.with_default(value)
        return type(self)(self.func, overrides=chosen)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Calls the function with what was given and what is supplied."""
        if not self.injected:
            return self.func(*args, **kwargs)
        given = self.signature.bind_partial(*args, **kwargs).arguments
        for name, source in self.injected.items():
            if name not in given:
                kwargs[name] = source.resolve(name) if isinstance(source, ConfigInfo) else source.resolve()
        return self.func(*args, **kwargs)

    def __repr__(self) -> str:
        """The function's name and what is supplied."""
        return f"{self.name}({', '.join(self.injected)})"


def component(func: Callable[P, R]) -> Component[P, R]:
    """Make a function supply its own `Config` and `Context` parameters."""
    return Component(func)


def adopt_config_fields(cls: type[BaseModel]) -> None:
    """Turns the `Config` defaults and annotations of a class that is being made into pydantic fields.

    Called from `__init_subclass__`: pydantic reads the fields after it.
    """
    for name, default in list(vars(cls).items()):
        if isinstance(default, ConfigInfo):
            setattr(cls, name, Field(**default.field_kwargs))
    try:
        annotations: dict[str, Any] = inspect.get_annotations(cls)
    except NameError:  # a type that is not there yet; from Python 3.14 on, annotations wait for it
        return
    for name, annotation in annotations.items():
        if get_origin(annotation) is not Annotated:
            continue
        base, *metadata = get_args(annotation)
        if any(isinstance(item, ConfigInfo) for item in metadata):
            adopted = [
                Field(**item.field_kwargs) if isinstance(item, ConfigInfo) else item for item in metadata
            ]
            cls.__annotations__[name] = Annotated[base, *adopted]
