"""Owns the judgement of one argument's value by its schema: JSON type, `enum` and limits, nothing below it.

Must not know the tool or the argument's name. Schemas may be an author's own, so what is malformed in one is
no rule.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

from pegboard.dialects.dendrux_nodes import COMPOSITES, Schema, json_types

_TYPE_NAMES = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}

_NUMBERS, _TEXT, _LIST, _OBJECT = (int, float), (str,), (list,), (dict,)

_LIMITS: dict[str, tuple[tuple[type, ...], str, Callable[[Any, Any], bool]]] = {
    "minimum": (_NUMBERS, ">= {}", lambda value, limit: value >= limit),
    "maximum": (_NUMBERS, "<= {}", lambda value, limit: value <= limit),
    "exclusiveMinimum": (_NUMBERS, "> {}", lambda value, limit: value > limit),
    "exclusiveMaximum": (_NUMBERS, "< {}", lambda value, limit: value < limit),
    "multipleOf": (_NUMBERS, "a multiple of {}", lambda value, limit: _is_multiple(value, limit)),
    "minLength": (_TEXT, "at least {} characters long", lambda value, limit: len(value) >= limit),
    "maxLength": (_TEXT, "at most {} characters long", lambda value, limit: len(value) <= limit),
    "pattern": (_TEXT, "text that matches {}", lambda value, limit: re.search(limit, value) is not None),
    "minItems": (_LIST, "a list of at least {} items", lambda value, limit: len(value) >= limit),
    "maxItems": (_LIST, "a list of at most {} items", lambda value, limit: len(value) <= limit),
    "minProperties": (
        _OBJECT,
        "an object of at least {} properties",
        lambda value, limit: len(value) >= limit,
    ),
    "maxProperties": (
        _OBJECT,
        "an object of at most {} properties",
        lambda value, limit: len(value) <= limit,
    ),
}
"""For each limit: the values that it is about, what they must be, and whether one is."""

_SHOWN = 200
"""How many characters of a refused value its message may repeat."""


class ValueRules:
    """What one schema says about a value."""

    __slots__ = ("_limits", "_names", "_options", "_whole")

    def __init__(self, schema: Schema) -> None:
        """Reads the rules once; a schema that only a full validator can judge has none."""
        names, options = json_types(schema), schema.get("enum")
        judged = not COMPOSITES & schema.keys() and set(names) <= set(_TYPE_NAMES.values())
        self._names = names if judged else ()
        self._options = options if judged and isinstance(options, list) else None
        self._limits = {word: schema[word] for word in _LIMITS if judged and _usable(word, schema.get(word))}
        self._whole = "integer" in self._names and "number" not in self._names

    @property
    def limited(self) -> bool:
        """Whether there are rules beside type and `enum`."""
        return bool(self._limits)

    def whole(self, value: Any) -> Any:
        """The value; an integral float as int where integers are taken and other numbers are not."""
        return int(value) if self._whole and type(value) is float and value.is_integer() else value

    def fault(self, value: Any) -> tuple[str, str] | None:
        """The keyword that the value breaks and the end of a sentence about it (`must be …`), or `None`."""
        own = _TYPE_NAMES[type(self.whole(value))]
        if self._names and own not in self._names and not (own == "integer" and "number" in self._names):
            return "type", f"must be {' or '.join(self._names)}, got {own}"
        if self._options is not None and not any(_same(value, option) for option in self._options):
            return "enum", f"must be one of {', '.join(map(json.dumps, self._options))}, got {_shown(value)}"
        for word, limit in self._limits.items():
            kinds, demand, fits = _LIMITS[word]
            if type(value) in kinds and not fits(value, limit):
                return word, f"must be {demand.format(json.dumps(limit))}, got {_shown(value)}"
        return None


def _usable(word: str, limit: object) -> bool:
    """Whether a limit is one, in a schema that nobody has checked."""
    if word == "pattern":
        try:
            return isinstance(limit, str) and re.compile(limit) is not None
        except re.error:
            return False
    return type(limit) in (int, float) and not (word == "multipleOf" and limit == 0)


def _same(value: Any, option: Any) -> bool:
    """Equality as JSON has it: `true` is not 1."""
    return isinstance(value, bool) is isinstance(option, bool) and bool(value == option)


def _is_multiple(value: float, step: float) -> bool:
    if isinstance(value, int) and isinstance(step, int):
        return value % step == 0
    # A float is seldom the exact multiple that its digits promise.
    return math.isfinite(value) and abs(math.remainder(value, step)) <= 1e-9 * max(abs(value), abs(step))


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
