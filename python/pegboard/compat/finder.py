"""Owns the import hook that answers for frameworks which are not installed, and completes those that are.

Asks the real package first (mode `auto`) or never (mode `builtin`). Must not import a stand-in's contents:
its modules look up each name when it is asked for.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Literal

from pegboard.compat.modules import COMPLETIONS, TABLES, StandIn, look_up, stand_ins

Compat = Literal["auto", "builtin"]

ORIGIN = "pegboard stand-in"
"""The `origin` in the spec of every stand-in module."""


def install(mode: Compat) -> tuple[str, ...]:
    """Answers imports of the known frameworks from now on.

    In mode `auto` a framework that is installed answers for itself, completed with the documented names
    that it lacks; in mode `builtin` the stand-in always answers. Calling it again changes the mode.

    Returns the frameworks whose real package is already imported and therefore goes on answering although
    the mode is `builtin`.
    """
    if mode not in ("auto", "builtin"):
        raise ValueError(f"compat is {mode!r}; it must be 'auto' or 'builtin'")
    finder = next((known for known in sys.meta_path if isinstance(known, StandInFinder)), None)
    if finder is None:
        finder = StandInFinder()
        sys.meta_path.insert(0, finder)
    finder.mode = mode
    already = tuple(sorted(name for name in TABLES if _is_real(sys.modules.get(name))))
    if mode == "builtin":
        return already
    for name in already:
        complete(sys.modules[name])
    return ()


def is_stand_in(module: ModuleType | None) -> bool:
    """Whether a module is one of ours rather than the framework's own."""
    spec = getattr(module, "__spec__", None)
    return spec is not None and spec.origin == ORIGIN


def _is_real(module: ModuleType | None) -> bool:
    return module is not None and not is_stand_in(module)


class StandInFinder(MetaPathFinder):
    """Finds the modules of the known frameworks, and nothing else."""

    mode: Compat = "auto"

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a stand-in, of the real module, or `None` where the name is not ours to answer."""
        framework = fullname.partition(".")[0]
        if framework not in TABLES:
            return None
        below_real = framework != fullname and _is_real(sys.modules.get(framework))
        if self.mode == "auto" or below_real:
            spec = self._ask_others(fullname, path, target)
            if spec is not None:
                if fullname == framework and spec.loader is not None:
                    spec.loader = _CompletingLoader(spec.loader)
                return spec
        stand_in = stand_ins(framework).get(fullname)
        if stand_in is not None:
            return ModuleSpec(fullname, StandInLoader(stand_in), origin=ORIGIN, is_package=True)
        if below_real:
            return None
        parent, _, name = fullname.rpartition(".")
        raise ModuleNotFoundError(
            f"cannot import {name!r} from {parent!r}: {_advice(framework, stand_ins(framework)[framework])}",
            name=framework,
        )

    def _ask_others(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None
    ) -> ModuleSpec | None:
        for finder in sys.meta_path:
            find_spec = getattr(finder, "find_spec", None)
            if finder is self or find_spec is None:
                continue
            spec: ModuleSpec | None = find_spec(fullname, path, target)
            if spec is not None:
                return spec
        return None


def _advice(framework: str, stand_in: StandIn) -> str:
    return (
        f"pegboard answers for {framework!r}, which is not installed, and has only what tool files need; "
        f"install the package itself: pip install {stand_in.distribution}"
    )


class StandInLoader(Loader):
    """Makes a module whose names are looked up when they are asked for."""

    def __init__(self, stand_in: StandIn) -> None:
        """Keeps what the module answers."""
        self._stand_in = stand_in

    def create_module(self, spec: ModuleSpec) -> None:
        """Leaves making the module to Python."""

    def exec_module(self, module: ModuleType) -> None:
        """Gives the module its names."""
        stand_in = self._stand_in
        path = module.__name__
        framework = path.partition(".")[0]

        def find_name(name: str) -> Any:
            if name in stand_in.names:
                value = _from_real_package(framework, stand_in, name)
                if value is _MISSING:
                    value = look_up(stand_in.names[name])
                setattr(module, name, value)
                return value
            if f"{path}.{name}" in stand_ins(framework):
                return importlib.import_module(f"{path}.{name}")
            missing = f"module {path!r} has no attribute {name!r}"
            if name.startswith("__"):
                raise AttributeError(missing)
            raise AttributeError(f"{missing}: {_advice(framework, stand_in)}")

        vars(module).update(
            __all__=sorted(stand_in.names),
            __dir__=lambda: sorted(stand_in.names),
            __getattr__=find_name,
            __doc__=f"Stand-in for {path!r}: the names that tool files need.",
        )
        for name in stand_in.names:
            # A name that is a module below as well, such as `dendrux.tool`: Python would put the module in
            # the place of the name when a file first imports it, so it is imported before the name is set.
            if f"{path}.{name}" in stand_ins(framework):
                importlib.import_module(f"{path}.{name}")
                find_name(name)


_MISSING = object()


def _from_real_package(framework: str, stand_in: StandIn, name: str) -> Any:
    """The object of a real package for a path that the package does not have."""
    if not _is_real(sys.modules.get(framework)):
        return _MISSING
    completed = COMPLETIONS.get(framework, {})
    if name in completed:
        return look_up(completed[name])
    for home in stand_in.homes:
        try:
            module = importlib.import_module(home)
        except ImportError:
            continue
        if _is_real(module) and hasattr(module, name):
            return getattr(module, name)
    return _MISSING


class _CompletingLoader(Loader):
    """The real package's loader, followed by the names that the package lacks."""

    def __init__(self, real: Loader) -> None:
        self._real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._real.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._real.exec_module(module)
        complete(module)


def complete(module: ModuleType) -> None:
    """Adds the documented names that a real package lacks; a name that it has stays its own."""
    framework = module.__name__
    completed = COMPLETIONS.get(framework)
    if not completed or "__pegboard_completed__" in vars(module):
        return
    own: Callable[[str], Any] | None = vars(module).get("__getattr__")

    def find_name(name: str) -> Any:
        try:
            if own is None:
                raise AttributeError(f"module {framework!r} has no attribute {name!r}")
            return own(name)
        except (AttributeError, ImportError):
            if name not in completed:
                raise
        value = look_up(completed[name])
        setattr(module, name, value)
        return value

    vars(module).update(__getattr__=find_name, __pegboard_completed__=True)
