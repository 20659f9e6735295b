"""Owns the parameters schema of a dendrux tool: what is required, the defaults and the descriptions.

Must not know of decorators, strict mode or calls; what a type becomes is `dendrux_schema`'s business.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import Parameter as Kinds
from inspect import cleandoc
from itertools import takewhile
from typing import Any

from pegboard.dialects.dendrux_defaults import ABSENT, NotJsonError, json_default
from pegboard.dialects.dendrux_nodes import Schema
from pegboard.dialects.dendrux_schema import UnsupportedError, description_of, is_optional, schema_of
from pegboard.runtime.signature import EMPTY, Parameter, read

_HEADINGS = frozenset(("args:", "arguments:", "parameters:", "params:"))
_ENTRY = re.compile(r"(?P<name>\w+)\s*(?:\(.*?\))?\s*:\s*(?P<text>.*)")


def parameters_schema(function: Callable[..., Any], tool: str) -> Schema:
    """The JSON Schema of the arguments of `function`, with its types resolved in the module that defines it.

    Raises `TypeError` that names every parameter which has no schema, with the reason, and `NameError` if the
    only fault is that a type names something that does not exist (yet).
    """
    signature = read(function)
    texts = argument_texts(getattr(function, "__doc__", None))
    schema: Schema = {"type": "object", "properties": {}, "required": []}
    rejected: list[str] = []
    unresolved: list[str] = []
    for parameter in signature.parameters:
        if parameter.name == "self":
            continue
        place = f"parameter '{parameter.name}' of tool '{tool}'"
        if parameter.name in signature.unresolved:
            unresolved.append(f"{place}: {signature.unresolved[parameter.name]}")
            continue
        try:
            _add(schema, parameter, texts)
        except NameError as error:
            unresolved.append(f"{place}: {error}")
        except (UnsupportedError, NotJsonError) as error:
            rejected.append(f"{place}: {error}")
    if rejected:
        raise TypeError("; ".join(rejected + unresolved))
    if unresolved:
        raise NameError("; ".join(unresolved))
    return schema


def _add(schema: Schema, parameter: Parameter, texts: dict[str, str]) -> None:
    """Adds one parameter to the schema of all."""
    if parameter.kind is Kinds.VAR_POSITIONAL:
        raise UnsupportedError(
            f"*{parameter.name} takes values without names, and a model's arguments have names; use list[T]"
        )
    if parameter.annotation is EMPTY:
        raise UnsupportedError(
            "it has no type hint; every parameter needs one, or describe them with parameters="
        )
    if parameter.kind is Kinds.VAR_KEYWORD:
        schema["additionalProperties"] = (
            True if parameter.annotation is Any else schema_of(parameter.annotation)
        )
        return
    described = schema_of(parameter.annotation)
    if parameter.name in texts and description_of(parameter.annotation) is None:
        described["description"] = texts[parameter.name]
    if parameter.default is not EMPTY:
        try:
            default = json_default(parameter.default)
        except NotJsonError as error:
            raise NotJsonError(f"its default is not JSON: {error}") from error
        if default is not ABSENT:
            described["default"] = default
    elif not is_optional(parameter.annotation):
        schema["required"].append(parameter.name)
    schema["properties"][parameter.name] = described


def argument_texts(doc: str | None) -> dict[str, str]:
    """The entries of the first Google-style `Args:` section: `name: text` or `name (type): text`.

    Indented lines below an entry are joined to it by one blank; lines of another form are no entries.
    """
    lines = iter(cleandoc(doc or "").splitlines())
    heading = next((line for line in lines if line.strip().lower() in _HEADINGS), "")
    section = takewhile(lambda line: _indent(line) > _indent(heading), filter(str.strip, lines))
    level: int | None = None
    texts: dict[str, list[str]] = {}
    entry: list[str] = []
    for line in section:
        level = _indent(line) if level is None else level
        if _indent(line) != level:
            entry.append(line.strip())
            continue
        match = _ENTRY.fullmatch(line.strip())
        entry = [match["text"]] if match else []
        if match:
            texts[match["name"]] = entry
    return {name: text for name, parts in texts.items() if (text := " ".join(filter(None, parts)).strip())}


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
