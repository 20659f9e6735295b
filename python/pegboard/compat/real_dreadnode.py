"""Owns the names that dreadnode's page documents and an installed dreadnode lacks.

Imported only where the real package answers. What a file gets from here works with whatever else it
imports from the package: tools are its own, and the toolset is a subclass of its own that keeps the page's
promises.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import new_class
from typing import Any

from pydantic import ConfigDict

from pegboard import authoring
from pegboard.compat.tool import Tool as StandInTool
from pegboard.runtime import signature

HOMES = ("dreadnode.agents.tools", "dreadnode.agent.tools.base", "dreadnode.agent.tools")


def _home() -> Any:
    missing: ImportError | None = None
    for path in HOMES:
        try:
            return importlib.import_module(path)
        except ImportError as error:
            missing = error
    raise ImportError(
        f"the installed dreadnode has none of {', '.join(HOMES)}", name="dreadnode"
    ) from missing


_real = _home()

Tool = _real.Tool


def tool(func: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """The package's `tool`, with types resolved where the function is defined.

    A function that the package cannot describe yet becomes a tool all the same: its types may come later
    in the file.
    """
    if func is None:
        return lambda decorated: tool(decorated, **options)
    _resolve(func)
    try:
        return _real.tool(func, **options) if options else _real.tool(func)
    except Exception:  # whoever describes the tool says what is wrong, without the loss of the file
        return StandInTool.from_callable(func, **options)


def tool_method(func: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """The package's `tool_method`, with types resolved where the method is defined."""
    if func is None:
        return lambda decorated: tool_method(decorated, **options)
    _resolve(func)
    return _real.tool_method(func, **options) if options else _real.tool_method(func)


def _resolve(func: Any) -> None:
    """Puts resolved types in the place of texts; those that cannot be resolved stay texts."""
    annotations = getattr(func, "__annotations__", None)
    if not isinstance(annotations, dict) or not any(isinstance(hint, str) for hint in annotations.values()):
        return
    read = signature.read(func)
    for parameter in read.parameters:
        if parameter.annotation is not signature.EMPTY:
            annotations[parameter.name] = parameter.annotation
    if read.returns is not signature.EMPTY:
        annotations["return"] = read.returns
    elif isinstance(annotations.get("return"), str):
        # The package rejects a function for a return type that it does not use.
        del annotations["return"]


def _toolset_body(namespace: dict[str, Any]) -> None:
    namespace["__module__"] = __name__
    namespace["__doc__"] = "The package's toolset, which takes attributes that are not declared as fields."
    ignored = (StandInTool, Tool, *authoring.Toolset.model_config["ignored_types"])
    namespace["model_config"] = ConfigDict(extra="ignore", ignored_types=ignored)


Toolset: Any = new_class("Toolset", (authoring.Toolset, _real.Toolset), {}, _toolset_body)
