"""Owns the reading of decorator options, for `@tool` and `@tool_method` alike.

A wrong option never raises: inside a module's body that would cost the whole file. It is kept as a
problem, and whoever describes the tool reports it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

DEFAULT_CATCH_EXCEPTIONS: set[type[Exception]] = {json.JSONDecodeError, ValidationError}
"""What a tool catches that does not say; told apart from an equal set of an author's by identity."""

ACCEPTED = ("name", "description", "catch", "truncate", "offload")

Catch = bool | set[type[BaseException]] | set[type[Exception]]


@dataclass(frozen=True, slots=True)
class OptionProblem:
    """One option that cannot be used as it is."""

    message: str
    hint: str
    costs_tool: bool = True
    """Whether the tool cannot be offered because of it."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one tool, read."""

    name: str | None = None
    description: str | None = None
    catch: Catch | None = None
    """`None` where the author does not say."""
    truncate: int | None = None
    """`None` for no limit."""
    offload: bool = True
    variants: tuple[str, ...] = ()
    given: frozenset[str] = frozenset()
    """The options that the author wrote, other than as `None`."""
    problems: tuple[OptionProblem, ...] = ()


def read_options(given: Mapping[str, Any], *, method: bool = False) -> Options:
    """Reads decorator options; what is wrong with them stands in `problems`."""
    accepted = (*ACCEPTED, "variants") if method else ACCEPTED
    problems = [
        OptionProblem(f"it has no option {unknown!r}", f"the options are {', '.join(accepted)}")
        for unknown in sorted(given.keys() - set(accepted))
    ]

    def read(option: str, reader: Callable[[Any], Any], wanted: str) -> Any:
        value = given.get(option)
        if value is None:
            return None
        try:
            return reader(value)
        except (TypeError, ValueError):
            problems.append(OptionProblem(f"the option {option!r} is {value!r}", f"it must be {wanted}"))
            return None

    catch = read("catch", _catch, "True, False, or a list of exception classes")
    truncate = read("truncate", _whole_number, "a number of characters")
    if truncate is not None and truncate < 0:
        problems.append(
            OptionProblem(
                f"the option 'truncate' is {truncate}, which is no length, so nothing is cut",
                "give a number of characters, or leave it out",
                costs_tool=False,
            )
        )
    offload = read("offload", _flag, "True or False")
    return Options(
        name=read("name", _text, "a text") or None,
        description=read("description", _text, "a text") or None,
        catch=catch,
        truncate=truncate if truncate is not None and truncate > 0 else None,
        offload=True if offload is None else offload,
        variants=tuple(read("variants", _texts, "a list of texts") or ()),
        given=frozenset(option for option, value in given.items() if value is not None),
        problems=tuple(problems),
    )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        raise TypeError
    return [_text(item) for item in value]


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _whole_number(value: Any) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise TypeError
    return int(value)


def _catch(value: Any) -> Catch:
    if isinstance(value, bool):
        return value
    if isinstance(value, type):
        value = (value,)
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError
    classes = set(value)
    if not all(isinstance(item, type) and issubclass(item, BaseException) for item in classes):
        raise TypeError
    return classes
