"""Owns the search of imported modules for tools.

Must not describe anything: what an object is, and what it offers, is a dialect's business.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import MethodType, ModuleType
from typing import TYPE_CHECKING, Any, TypeGuard

from . import origin
from .findings import Finding, error, info, warning
from .importing import Imported
from .lines import class_line, function_line
from .source import Source
from .toolsets import Candidate, build

if TYPE_CHECKING:
    from pegboard.dialects import Dialect

__all__ = ["Found", "collect"]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """One object that a dialect owns, and where it was found."""

    value: object
    """A tool or a toolset instance."""
    variable: str
    """The module's name for it; for an instance that was built here, the name of its class."""
    module: ModuleType
    """The module that it was found in."""
    file: str
    """The tool file that it was found in."""
    line: int | None = None
    """The line of its definition, from 1, where it can be told."""
    toolset: str | None = None
    """The name of the class, for a toolset instance."""
    dialect: Dialect | None = None
    """The dialect that owns it."""


# By exact type: an object of the file's own may fail when it is asked for its class.
_DECORATORS = 10
"""How many decorators above one another are looked through."""
_NEVER_OWNED = frozenset(
    {ModuleType, str, int, float, bool, bytes, type(None), list, dict, tuple, set, frozenset}
)


@dataclass(slots=True, eq=False)
class _File:
    """What one file contributes, by position in the module."""

    imported: Imported
    entries: dict[int, Found | Finding | Candidate] = field(default_factory=dict)

    def candidates(self) -> list[Candidate]:
        return [entry for entry in self.entries.values() if isinstance(entry, Candidate)]


def collect(
    source: Source, imports: Sequence[Imported], dialects: Sequence[Dialect], limit_seconds: float
) -> Iterator[Found | Finding]:
    """Everything that dialects own in the imported files, and what is wrong with it.

    The order is that of the files, and within a file that of definition. `limit_seconds` bounds the building
    of one toolset.
    """
    search = _Search(source, dialects)
    files = [search.file(imported) for imported in imports]
    candidates = [entry for file in files for entry in file.candidates()]
    built = build(candidates, search.instances, limit_seconds)
    search.find_misplaced(files)
    for file in files:
        yield from file.imported.findings
        contributed = bool(file.imported.findings) and file.imported.module is None
        for _, entry in sorted(file.entries.items()):
            if isinstance(entry, Candidate):
                outcome = built.get(entry)
                contributed = True
                if isinstance(outcome, Finding):
                    yield outcome
                elif outcome is not None:
                    yield search.found_instance(entry, outcome.value)
            else:
                contributed = True
                yield entry
        if not contributed and (finding := search.nothing_in(file.imported)) is not None:
            yield finding


class _Search:
    """The search of one source; an object is collected once, however many files name it."""

    def __init__(self, source: Source, dialects: Sequence[Dialect]) -> None:
        self.source = source
        self.dialects = dialects
        self.seen: set[int] = set()
        self.instances: list[object] = []
        self.tool_modules = frozenset(source.files)

    def owner(self, value: object) -> Dialect | None:
        for dialect in self.dialects:
            try:
                if dialect.owns(value):
                    return dialect
            except Exception:  # an object of the file's own that cannot even be looked at
                continue
        return None

    def file(self, imported: Imported) -> _File:
        file = _File(imported)
        module = imported.module
        if module is None:
            return file
        for position, (variable, value) in enumerate(list(vars(module).items())):
            if variable.startswith("__") or type(value) in _NEVER_OWNED:
                continue
            listed = variable in getattr(module, "__all__", ())
            if _is_class(value) and not listed and _module_of(value) != module.__name__:
                continue
            dialect = self.owner(value)
            if dialect is None or id(value) in self.seen:
                continue
            entry = self._entry(imported.path, module, variable, value, dialect, listed)
            if entry is not None:
                file.entries[position] = entry
        return file

    def _entry(
        self, path: str, module: ModuleType, variable: str, value: object, dialect: Dialect, listed: bool
    ) -> Found | Finding | Candidate | None:
        if _is_class(value):
            self.seen.add(id(value))
            return Candidate(value, module, path, class_line(path, value.__name__), dialect)
        home = origin.of(value, module.__name__, self.source)
        if home != module.__name__ and not listed:
            if home in self.tool_modules:
                return None  # its own file offers it
            if not self.source.has_module(home):
                return info(
                    "imported_tool_skipped",
                    f"the tool {variable!r} comes from the installed module {home!r} and is not offered",
                    path=path,
                    hint=f"to offer it, list it: __all__ = [{variable!r}]",
                )
        self.seen.add(id(value))
        if isinstance(value, MethodType):  # the module offers what stands decorated in a class
            self.seen.add(id(value.__func__))
        self.instances.append(value)
        return Found(value, variable, module, path, None, None, dialect)

    def found_instance(self, candidate: Candidate, value: object) -> Found:
        name = candidate.cls.__name__
        return Found(value, name, candidate.module, candidate.file, candidate.line, name, candidate.dialect)

    def find_misplaced(self, files: Sequence[_File]) -> None:
        """Decorated functions that nothing would ever call: in other classes, or under other decorators."""
        owned = [
            entry.cls for file in files for entry in file.entries.values() if isinstance(entry, Candidate)
        ]
        for file in files:
            module = file.imported.module
            if module is None:
                continue
            for position, (variable, cls) in enumerate(list(vars(module).items())):
                inner = self._covered(cls)
                if inner is not None and not variable.startswith("__"):
                    file.entries.setdefault(position, _covered(file.imported.path, variable, inner))
                if (
                    not _is_class(cls)
                    or _module_of(cls) != module.__name__
                    or id(cls) in self.seen
                    or self.owner(cls) is not None
                    or any(cls in other.__mro__ for other in owned)
                ):
                    continue
                for name, value in list(vars(cls).items()):
                    if name.startswith("__") or type(value) in _NEVER_OWNED:
                        continue
                    inner = value.__func__ if type(value) in (staticmethod, classmethod) else value
                    if _is_class(inner) or id(inner) in self.seen or self.owner(inner) is None:
                        continue
                    file.entries.setdefault(position, _misplaced(file.imported.path, cls, name, inner))

    def _covered(self, value: object) -> object | None:
        """The tool that another decorator has made something else of, unless it is offered by itself."""
        if _is_class(value) or type(value) in _NEVER_OWNED or self.owner(value) is not None:
            return None
        inner = value
        for _ in range(_DECORATORS):
            members: dict[str, object] = getattr(inner, "__dict__", {})
            inner = members.get("__wrapped__")
            if inner is None or id(inner) in self.seen:
                return None
            if self.owner(inner) is not None:
                return inner
        return None

    def nothing_in(self, imported: Imported) -> Finding | None:
        path = imported.path
        below = os.path.relpath(path, self.source.root).split(os.sep)
        if any(part.startswith("_") for part in below):
            return None
        name = getattr(imported.module, "__name__", "")
        if any(taken == name for _, taken, _ in self.source.imported):
            return info("no_tools", "the file holds no tool; other files import it", path=path)
        return warning(
            "no_tools",
            "the file holds no tool",
            path=path,
            hint="decorate a function with @tool, or start the file's name with an underscore",
        )


def _is_class(value: object) -> TypeGuard[type]:
    return issubclass(type(value), type)


def _module_of(cls: type) -> object:
    try:
        return cls.__module__
    except Exception:  # a metaclass of the file's own
        return None


def _misplaced(path: str, cls: type, name: str, value: Any) -> Finding:
    return error(
        "decorator_misplaced",
        f"{cls.__name__}.{name} is decorated as a tool, but {cls.__name__} is no toolset",
        path=path,
        line=function_line(value) or class_line(path, cls.__name__),
        hint=f"derive {cls.__name__} from Toolset and decorate the method with @tool_method,"
        " or move the function out of the class",
        tools=[name],
    )


def _covered(path: str, variable: str, value: Any) -> Finding:
    return error(
        "decorator_misplaced",
        f"another decorator stands above the one that makes {variable!r} a tool, so nothing offers it",
        path=path,
        line=function_line(value),
        hint="put the tool's decorator above all others",
        tools=[variable],
    )
