"""The rows that are answered otherwise than by dendrux, on purpose: the reason and the right answer."""

from __future__ import annotations

import re
from typing import Any

from dendrux_tally import Difference

_LIMITS = "limits in Annotated stay in the schema"
_STRICT = "strict mode closes every object, drops undeclared names from `required` and says what it took"


def _object(required: str = "", /, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required.split()}


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    return {**schema, "additionalProperties": False}


SCHEMAS: dict[str, Difference] = {
    "s081_pydantic_dataclass": Difference(
        "a Field() in the place of a dataclass default says whether the field is required, and its limits",
        _object(
            "point",
            point=_object("x", x={"type": "integer", "minimum": 0}, y={"type": "integer", "default": 0}),
        ),
        real_too=False,
    ),
    "s101_annotated_field": Difference(
        _LIMITS,
        _object(
            "text",
            text={"type": "string", "minLength": 1, "description": "Words to match"},
            limit={"type": "integer", "minimum": 1, "maximum": 100, "description": "Row cap", "default": 10},
        ),
        real_too=False,
    ),
    "s102_annotated_str_and_field": Difference(
        _LIMITS,
        _object(
            "a b c d",
            a={"type": "integer", "minimum": 1, "description": "first words"},
            b={"type": "integer", "minimum": 1, "description": "second words"},
            c={"type": "integer", "description": "field words"},
            d={"type": "integer", "description": "string words"},
        ),
        real_too=False,
    ),
    "s105_annotated_in_list": Difference(
        _LIMITS,
        _object(
            "a b",
            a={"type": "array", "items": {"type": "string", "description": "each word"}},
            b={"type": "array", "items": {"type": "integer", "minimum": 0, "description": "each number"}},
        ),
        real_too=False,
    ),
    "s108_annotated_nested": Difference(
        _LIMITS,
        _object(
            "a",
            a={"type": "integer", "minimum": 0, "maximum": 9, "description": "a small number"},
            b={"type": "integer", "minimum": 0, "maximum": 9, "default": 1},
        ),
        real_too=False,
    ),
    "s123_constrained": Difference(
        _LIMITS,
        _object(
            "a b c d e f g h",
            a={"type": "integer", "minimum": 1, "maximum": 5},
            b={"type": "integer", "exclusiveMinimum": 3},
            c={"type": "string", "minLength": 1, "pattern": "^[0-9]+$"},
            d={"type": "array", "items": {"type": "integer"}, "minItems": 2},
            e={"type": "integer", "exclusiveMinimum": 0},
            f={"type": "string"},
            g={"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3},
            h={"type": "string", "maxLength": 8, "description": "short text"},
        ),
        real_too=False,
    ),
    "s144_default_nan_inf": Difference(
        "a default that JSON cannot express is left out",
        _object(a={"type": "number"}, b={"type": "number"}),
    ),
    "s148_default_dataclass": Difference(
        "the default of a supported type is written out",
        _object(
            p={**_object(x={"type": "integer", "default": 1}), "default": {"x": 1}},
        ),
        real_too=False,
    ),
    "s150_var_args": Difference(
        "a model's arguments have names", "parameter 'rest' of tool 'many'", real_too=False
    ),
    "s181_future_return_only": Difference(
        "a return type that does not resolve costs no tool",
        _object("a", a={"type": "integer"}),
        real_too=False,
    ),
    "s219_bound_method": Difference(
        "a bound method can be a tool", _object("a", a={"type": "integer"}), real_too=False
    ),
    "s220_partial": Difference("the error says what was decorated", "type partial", real_too=False),
    "s221_callable_instance": Difference("the error says what was decorated", "type Adder", real_too=False),
    "s226_return_string_unresolvable": Difference(
        "a return type that does not resolve costs no tool",
        _object("a", a={"type": "integer"}),
        real_too=False,
    ),
    "s257_typeddict_annotated_keys": Difference(
        _LIMITS,
        _object(
            "row",
            row=_object(
                "a b",
                a={"type": "integer", "description": "string words"},
                b={"type": "integer", "minimum": 1, "description": "field words"},
            ),
        ),
        real_too=False,
    ),
    "x014_strict_explicit": Difference(
        _STRICT,
        _closed(
            {
                "type": "object",
                "properties": {
                    "a": {"$ref": "#/$defs/A"},
                    "b": _closed({**_object("z", z={"type": "integer"}), "type": ["object", "null"]}),
                },
                "$defs": {"A": _closed(_object("n", n={"type": "integer", "minimum": 3}))},
                "required": ["a", "b"],
            }
        ),
        real_too=False,
    ),
    "x017_strict_prefix_items_additional": Difference(
        _STRICT,
        _closed(
            _object(
                "t m n",
                t={"type": "array", "prefixItems": [_closed(_object("q", q={"type": "string"}))]},
                m=_closed(_object("a", a={"type": "string"})),
                n={"not": _closed(_object("a", a={}))},
            )
        ),
        real_too=False,
    ),
}
"""By case: the schema that is right here, or for a rejected case what the error has to name."""

_INTEGRAL = "an integral float reaches an integer parameter as int"
_DRAINED = "what comes back decides: awaitables are awaited, generators drained"
_OWN_TIMEOUT = "a tool's own TimeoutError is not the host's time limit"


def _names(kind: str) -> Difference:
    return Difference(
        "a value that is not JSON is an error that names its type, and in a host the place",
        re.compile(rf'\{{"error": .*\b{kind}\b.*'),
    )


CALLS: dict[str, Difference] = {
    "003": Difference(_INTEGRAL, "7"),
    "008": Difference(
        "null is no value of a parameter that is not nullable",
        '{"error": "add argument \'b\' must be integer, got null.", "code": "invalid_params"}',
    ),
    "015": Difference(_INTEGRAL, "1002"),
    "052": Difference("T | None without a default is None when it is left out", '"NoneType:None"'),
    "084": Difference("**more takes any other names", "\"dict:{'x': 2}\"", real_too=False),
    "086": Difference("a function with *more is no tool", None, real_too=False),
    "087": Difference("a function with *more is no tool", None, real_too=False),
    "100": Difference(_INTEGRAL, '"int:3 {}"'),
    "120": _names("bytes"),
    "128": _names("set"),
    "129": _names("range"),
    "133": _names("Spot"),
    "135": _names("datetime"),
    "137": _names("PosixPath"),
    "142": Difference(_DRAINED, "[0, 1, 2]"),
    "143": _names("Plain"),
    "144": _names("ValueError"),
    "148": Difference(_DRAINED, '{"from": "coroutine"}'),
    "151": Difference(_DRAINED, "[0, 1, 2]"),
    "152": Difference(_DRAINED, '{"from": "coroutine"}'),
    "153": Difference(_DRAINED, '{"from": "coroutine"}'),
    "155": Difference(_DRAINED, "[0, 1, 2]"),
    "156": Difference(_DRAINED, "[0, 1, 2]"),
    "175": Difference(_OWN_TIMEOUT, '{"error": "my own timeout"}'),
    "182": Difference(_OWN_TIMEOUT, '{"error": "the server was slow"}'),
}
"""By row: the text that the model gets here (`None`: there is no such tool)."""

HOST_ONLY: dict[str, str] = {
    "164": "a report of an exception that cannot be printed",
    "168": "a report of StopIteration",
    "169": "a report of KeyboardInterrupt",
    "178": "a report of SystemExit",
    "181": "a report of StopIteration",
    "183": "a time limit",
    "185": "a time limit",
    "186": "a time limit",
    "188": "a time limit",
}
"""Rows that ask for what only a host has, with what that is."""
