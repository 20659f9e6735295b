"""Owns the judgement of a call's arguments by dendrux's rules, and the answer that the model gets about them.

The rules look at the names and at the values directly below them. What is inside of objects and arrays
reaches the tool as it was sent. Must not know how schemas are made; a single value is `dendrux_values`'s
business.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from inspect import Parameter, signature
from typing import Any

from pydantic_core import ValidationError

from pegboard.dialects.dendrux_nodes import COMPOSITES, Schema, json_types
from pegboard.dialects.dendrux_quick import quick_validator
from pegboard.dialects.dendrux_values import ValueRules
from pegboard.runtime.problems import ArgumentsRefused

Arguments = tuple[tuple[Any, ...], dict[str, Any]]

Problem = dict[str, str]
"""`pointer`, `code` and `message` of one thing that is wrong, as the host's problems have them."""


class DendruxArguments:
    """Reads the JSON text of a call into what the function is called with."""

    def __init__(self, tool: str, schema: Schema, function: Callable[..., Any]) -> None:
        """For the tool named `tool` with the parameters schema `schema`."""
        self._tool = tool
        held = schema.get("properties")
        properties = {
            name: value if isinstance(value, dict) else {}
            for name, value in (held.items() if isinstance(held, dict) else ())
        }
        required = schema.get("required")
        names = required if isinstance(required, list) else ()
        self._required = [name for name in names if isinstance(name, str)]
        self._filled: list[str] = []
        """Names of `T | None` parameters without a default: left out, they are `None`."""
        self._positional: list[tuple[str, Any]] = []
        """Positional-only parameters with their defaults."""
        self._read(properties, function)
        self._rules = {name: ValueRules(value) for name, value in properties.items()}
        self._limited = [(name, rules) for name, rules in self._rules.items() if rules.limited]
        extra = _extra(schema)
        self._takes_extra = extra is not False
        self._extra_rules = ValueRules(extra if isinstance(extra, dict) else {})
        quick = quick_validator(properties, self._required, self._filled, extra)
        self._quick = None if quick is None else quick.validate_json

    def validate_json(self, data: bytes, /) -> Arguments:
        """The positional and the keyword arguments, or `ArgumentsRefused` with everything that is wrong.

        Empty text and `null` stand for no arguments.
        """
        given = self._quickly(data)
        if given is None:
            given = self._judged(data)
        return self._placed(given) if self._positional else ((), given)

    def _read(self, properties: dict[str, Schema], function: Callable[..., Any]) -> None:
        """Learns from the signature what the schema cannot say."""
        for parameter in _parameters(function):
            if parameter.kind is Parameter.POSITIONAL_ONLY:
                self._positional.append((parameter.name, parameter.default))
            schema = properties.get(parameter.name)
            if schema is None or parameter.name in self._required or parameter.default is not Parameter.empty:
                continue
            if parameter.kind is not Parameter.VAR_KEYWORD:
                (self._filled if _takes_null(schema) else self._required).append(parameter.name)

    def _quickly(self, data: bytes) -> dict[str, Any] | None:
        """The arguments by name if they plainly fit, as most do."""
        if self._quick is None:
            return None
        try:
            given: dict[str, Any] = self._quick(data)
        except ValidationError:
            return None
        limited = self._limited
        if limited and any(name in given and rules.fault(given[name]) for name, rules in limited):
            return None
        return given

    def _judged(self, data: bytes) -> dict[str, Any]:
        """The arguments by name, by the rules themselves."""
        given = self._parsed(data)
        unknown = [] if self._takes_extra else [name for name in given if name not in self._rules]
        missing = [name for name in self._required if name not in given]
        sentences: list[str] = []
        problems: list[Problem] = []
        if unknown:
            names = ", ".join(f"'{name}'" for name in unknown)
            sentences.append(f"{self._tool} has no argument{'s' if len(unknown) > 1 else ''} {names}")
            problems += [
                _problem(name, "additionalProperties", f"there is no argument {name!r}") for name in unknown
            ]
        if missing:
            sentences.append(f"{self._tool} is missing required argument(s): {', '.join(missing)}")
            problems += [_problem(name, "required", f"the argument {name!r} is required") for name in missing]
        for name in given:
            rules = self._rules.get(name, self._extra_rules)
            fault = rules.fault(given[name])
            given[name] = rules.whole(given[name])
            if fault:
                sentences.append(f"{self._tool} argument '{name}' {fault[1]}")
                problems.append(_problem(name, *fault))
        if sentences:
            names = f" Valid arguments: {', '.join(self._rules) or '(none)'}." if unknown or missing else ""
            raise ArgumentsRefused(_utf8("; ".join(sentences) + "." + names), problems)
        return dict.fromkeys(self._filled) | given

    def _parsed(self, data: bytes) -> dict[str, Any]:
        """The JSON object in `data`, whose text is in no message and in no exception."""
        try:
            text = data.decode()
            parsed = json.loads(text) if text.strip() else None
        except json.JSONDecodeError as error:
            reason = f"{error.msg} at char {error.pos}"
        except UnicodeDecodeError:
            reason = "the text is not UTF-8"
        except RecursionError:
            reason = "it is nested too deeply"
        except ValueError as error:  # a number of more digits than Python reads
            reason = str(error)
        else:
            if parsed is None:
                return {}
            if isinstance(parsed, dict):
                return parsed
            reason = "arguments must be a JSON object"
        answer = (
            f"Your arguments for `{self._tool}` were not valid JSON ({reason}). "
            "Send the call again with valid JSON; for long content, write it in smaller pieces."
        )
        problem = {"pointer": "", "code": "json_invalid", "message": answer}
        raise ArgumentsRefused(answer, [problem])

    def _placed(self, given: dict[str, Any]) -> Arguments:
        """The arguments with those of positional-only parameters taken out of the keywords."""
        positional: list[Any] = []
        for name, default in self._positional:
            value = given.pop(name, default)
            if value is Parameter.empty:
                break
            positional.append(value)
        return tuple(positional), given


def _parameters(function: Callable[..., Any]) -> Iterable[Parameter]:
    try:
        return signature(function).parameters.values()
    except (
        TypeError,
        ValueError,
    ):  # Python knows no signature of some builtins; then the schema is all there is
        return ()


def _extra(schema: Schema) -> Schema | bool:
    """What other names than the declared ones may be given: a schema, anything (`True`) or none (`False`)."""
    declares_names = isinstance(schema.get("properties"), dict)
    if not declares_names or "patternProperties" in schema or COMPOSITES & schema.keys():
        return True
    held = schema.get("additionalProperties", False)
    return held if isinstance(held, dict | bool) else True


def _takes_null(schema: Schema) -> bool:
    arms = [schema, *(schema.get("anyOf") or ()), *(schema.get("oneOf") or ())]
    return any("null" in json_types(arm) for arm in arms if isinstance(arm, dict))


def _problem(name: str, code: str, message: str) -> Problem:
    pointer = f"/{name.replace('~', '~0').replace('/', '~1')}"
    return {"pointer": _utf8(pointer), "code": code, "message": _utf8(message)}


def _utf8(text: str) -> str:
    """The text with half a surrogate pair, which JSON can name and UTF-8 cannot hold, as an escape."""
    return text.encode("utf-8", "backslashreplace").decode()
