"""Owns the recognition of dreadnode's and rigging's objects by their classes, stand-ins and real ones.

Must not import a framework: a class is looked for where it stands, and an object proves that its module is
there. Reads each kind of tool into the same `ToolView`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

Catch = bool | tuple[type[BaseException], ...]


@dataclass(frozen=True, slots=True)
class ToolView:
    """What is known of a tool, whichever package made it."""

    name: str
    description: str
    function: Callable[..., Any]
    """What is called."""
    declared: Callable[..., Any]
    """The function whose signature is the tool's."""
    hidden: frozenset[str] = frozenset()
    """Parameters that the runtime supplies."""
    schema: dict[str, Any] | None = None
    """The author's own schema of the arguments, for a tool that is made by hand."""
    catch: Catch | None = None
    """`None` where nobody says."""
    truncate: int | None = None
    offload: bool = True
    owner: object | None = None
    """The instance whose method it is."""
    problems: tuple[tuple[str, str, bool], ...] = ()
    """What is wrong with its options: a sentence, what to do, and whether it costs the tool."""
    stand_in: bool = True
    """Whether the tool is the stand-in's rather than the real package's."""
    former_name: str | None = None
    """The name under which the package offers it, where that is another."""


class Classes:
    """Classes by the modules in which they may stand; those of modules that nobody imported are left out."""

    def __init__(self, *places: tuple[str, str]) -> None:
        """Takes pairs of a module's path and a class's name."""
        self._places = places

    def present(self) -> tuple[type, ...]:
        """The classes that are there now."""
        found = (
            vars(sys.modules[module]).get(name) for module, name in self._places if module in sys.modules
        )
        return tuple({candidate: None for candidate in found if isinstance(candidate, type)})


DREADNODE_TOOLS = Classes(
    ("pegboard.compat.tool", "Tool"),
    ("dreadnode.agents.tools", "Tool"),
    ("dreadnode.core.tools", "Tool"),
    ("dreadnode.agent.tools.base", "Tool"),
)
RIGGING_TOOLS = Classes(("pegboard.compat.rigging_tool", "Tool"), ("rigging.tools.base", "Tool"))
TOOLSETS = Classes(
    ("pegboard.compat.toolset", "Toolset"),
    ("dreadnode.agents.tools", "Toolset"),
    ("dreadnode.core.tools", "Toolset"),
    ("dreadnode.agent.tools.base", "Toolset"),
    ("pegboard.compat.real_dreadnode", "Toolset"),
)
DREADNODE_METHODS = Classes(
    ("pegboard.compat.toolset", "ToolMethod"),
    ("dreadnode.agents.tools", "ToolMethod"),
    ("dreadnode.core.tools", "ToolMethod"),
    ("dreadnode.agent.tools.base", "ToolMethod"),
)
RIGGING_METHODS = Classes(
    ("pegboard.compat.rigging_tool", "ToolMethod"), ("rigging.tools.base", "ToolMethod")
)
STOPS = Classes(
    ("pegboard.authoring.stop", "Stop"),
    ("dreadnode.generators.exceptions", "Stop"),
    ("rigging.error", "Stop"),
)
_STAND_IN = Classes(("pegboard.compat.tool", "StandInTool"))
_COMPONENTS = Classes(
    ("pegboard.compat.configuration", "Component"),
    ("dreadnode.core.meta.config", "Component"),
    ("dreadnode.meta.config", "Component"),
)
_SUPPLIED = Classes(
    ("pegboard.compat.configuration", "ConfigInfo"),
    ("pegboard.compat.injection", "Context"),
    ("dreadnode.core.meta.config", "ConfigInfo"),
    ("dreadnode.core.meta.context", "Context"),
    ("dreadnode.meta.config", "ConfigInfo"),
    ("dreadnode.meta.context", "Context"),
)


def view(tool: Any) -> ToolView:
    """A tool of either framework, read."""
    return _of_stand_in(tool) if isinstance(tool, _STAND_IN.present()) else _of_real(tool)


def _of_stand_in(tool: Any) -> ToolView:
    from pegboard.compat.options import DEFAULT_CATCH_EXCEPTIONS

    function, declared, hidden = _unwrapped(tool.fn)
    return ToolView(
        name=tool.name,
        description=tool.description,
        function=function,
        declared=declared,
        hidden=hidden,
        schema=tool.parameters_schema if tool.by_hand else None,
        catch=None if tool.catch is DEFAULT_CATCH_EXCEPTIONS else _classes(tool.catch),
        truncate=tool.truncate,
        offload=tool.offload,
        owner=tool.owner,
        problems=tuple((problem.message, problem.hint, problem.costs_tool) for problem in tool.problems),
        former_name=tool.former_name,
    )


def _of_real(tool: Any) -> ToolView:
    function, declared, hidden = _unwrapped(tool.fn)
    catch = _classes(tool.catch)
    if not isinstance(catch, bool):
        # pydantic keeps an iterator that the first reading uses up; the package's own code reads it too.
        tool.catch = set(catch)
    truncate = tool.truncate
    owner = getattr(declared, "__self__", None)
    return ToolView(
        name=tool.name,
        description=tool.description,
        function=function,
        declared=declared,
        hidden=hidden,
        schema=tool.parameters_schema if tool._type_adapter is None else None,
        catch=catch,
        truncate=truncate if truncate is not None and truncate > 0 else None,
        offload=getattr(tool, "offload", True),
        owner=owner if isinstance(owner, TOOLSETS.present()) else None,
        stand_in=False,
    )


def _classes(catch: bool | Iterable[type[BaseException]]) -> Catch:
    return catch if isinstance(catch, bool) else tuple(catch)


def _unwrapped(fn: Any) -> tuple[Any, Any, frozenset[str]]:
    """What to call, what declares the parameters, and which of them are supplied."""
    components: tuple[Any, ...] = _COMPONENTS.present()
    if isinstance(fn, components):
        hidden = frozenset(_injected(fn))
        return (fn if hidden else fn.func), fn.func, hidden
    hidden = frozenset(_supplied_defaults(fn))
    if hidden and components:
        # The real package forgets to supply what a method declares; its own component does it.
        return components[-1](fn), fn, hidden
    return fn, fn, hidden


def _injected(component: Any) -> Iterator[str]:
    injected = getattr(component, "injected", None)
    if injected is None:
        injected = {**component.__dn_param_config__, **component.__dn_context__}
    yield from injected


def _supplied_defaults(fn: Any) -> Iterator[str]:
    markers = _SUPPLIED.present()
    if not markers:
        return
    try:
        parameters = inspect.signature(fn).parameters.values()
    except (TypeError, ValueError):
        return
    for parameter in parameters:
        if isinstance(parameter.default, markers):
            yield parameter.name


def hidden_methods(cls: type) -> Iterator[str]:
    """Tool methods in whose place a subclass puts something that is no tool, by attribute name."""
    methods = (*DREADNODE_METHODS.present(), *RIGGING_METHODS.present())
    seen: dict[str, object] = {}
    for scope in cls.__mro__:
        for name, value in vars(scope).items():
            first = seen.setdefault(name, value)
            if isinstance(value, methods) and not isinstance(first, methods) and first is not None:
                yield name


def misplaced_tools(cls: type) -> Iterator[tuple[str, Any]]:
    """Functions in a toolset class that are decorated as tools of their own, by attribute name."""
    tools = (*DREADNODE_TOOLS.present(), *RIGGING_TOOLS.present())
    for scope in cls.__mro__:
        for name, value in vars(scope).items():
            inner = value.__func__ if isinstance(value, staticmethod | classmethod) else value
            if isinstance(inner, tools):
                yield name, inner


def offers_tools(cls: type) -> bool:
    """Whether an instance of a toolset class offers tools, or is meant to."""
    bases = TOOLSETS.present()
    methods = (*DREADNODE_METHODS.present(), *RIGGING_METHODS.present())
    for scope in cls.__mro__:
        if scope in bases:
            break
        if "get_tools" in vars(scope) or any(isinstance(value, methods) for value in vars(scope).values()):
            return True
    return any(True for _ in misplaced_tools(cls))
