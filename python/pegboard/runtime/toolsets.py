"""Owns building toolset classes: one instance of each class that needs no arguments.

A class that has an instance already, or of which a subclass was built, is not built: the override wins. A
class that fails costs itself. Must not know what a toolset offers.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

from pydantic_core import ValidationError

from .exceptions import summary
from .faults import line_in
from .findings import Finding, error
from .limited import Overdue, TimedOut, run_each
from .outline import tool_names

if TYPE_CHECKING:
    from pegboard.dialects import Dialect

__all__ = ["Built", "Candidate", "build"]


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A toolset class that may have to be built."""

    cls: type
    module: ModuleType
    file: str
    line: int | None
    dialect: Dialect


@dataclass(frozen=True, slots=True, eq=False)
class Built:
    """An instance that was built."""

    value: object


def build(
    candidates: Sequence[Candidate], instances: Sequence[object], limit_seconds: float
) -> dict[Candidate, Built | Finding]:
    """Build what has to be built; candidates without an entry in the result are covered by something else."""
    known = list(instances)
    results: dict[Candidate, Built | Finding] = {}
    # Subclasses first, so that a base class is built only if none of them could be.
    for candidate in sorted(candidates, key=lambda candidate: -len(candidate.cls.__mro__)):
        if inspect.isabstract(candidate.cls) or any(isinstance(value, candidate.cls) for value in known):
            continue
        outcome = _build(candidate, limit_seconds)
        results[candidate] = outcome
        if isinstance(outcome, Built):
            known.append(outcome.value)
    return results


def _build(candidate: Candidate, limit_seconds: float) -> Built | Finding:
    required = _required(candidate.cls)
    if required:
        return _needs(candidate, required)

    def job() -> Built | BaseException:
        try:
            return Built(candidate.cls())
        except Overdue:
            raise
        except BaseException as failure:
            return failure

    (result,) = run_each([job], limit_seconds)
    if isinstance(result, Built):
        return result
    if isinstance(result, TimedOut):
        return _failed(candidate, f"building it took over {limit_seconds:g} s", None)
    if isinstance(result, ValidationError):
        missing = [
            ".".join(map(str, detail["loc"])) for detail in result.errors() if detail["type"] == "missing"
        ]
        if missing and len(missing) == result.error_count():
            return _needs(candidate, missing)
    return _failed(candidate, summary(result), line_in(candidate.file, result))


def _required(cls: type) -> list[str]:
    try:
        parameters = inspect.signature(cls).parameters.values()
    except (TypeError, ValueError):
        return []
    return [
        parameter.name
        for parameter in parameters
        if parameter.default is inspect.Parameter.empty
        and parameter.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    ]


def _needs(candidate: Candidate, names: list[str]) -> Finding:
    cls = candidate.cls.__name__
    example = ", ".join(f"{name}=…" for name in names)
    return error(
        "toolset_field_required",
        f"the toolset {cls} needs {', '.join(names)}",
        path=candidate.file,
        line=candidate.line,
        hint=f"give defaults, or make an instance in the file: tools = {cls}({example})",
        tools=_tools_of(candidate),
    )


def _failed(candidate: Candidate, reason: str, line: int | None) -> Finding:
    return error(
        "toolset_not_built",
        f"the toolset {candidate.cls.__name__} could not be built: {reason}",
        path=candidate.file,
        line=line or candidate.line,
        tools=_tools_of(candidate),
    )


def _tools_of(candidate: Candidate) -> tuple[str, ...]:
    try:
        return tool_names(inspect.getsource(candidate.cls))
    except (OSError, TypeError):
        return ()
