"""Owns the rule that a number is a number: `true` is not 1, an inexact float is no integer.

Together with it goes that the branches of a union are labelled, so that a place in the arguments can be
told from them.

Must not change what else a validator accepts. The rule works on finished core schemas, so that valid
numbers stay on pydantic-core's own path and only what it would have coerced is looked at here.
"""

from __future__ import annotations

from typing import Any

from pydantic_core import PydanticCustomError, core_schema

__all__ = ["EXACT", "LAX", "exact"]

EXACT = "<exact>"
"""Union label of the branch that takes numbers as they are; its errors repeat those of the other branch."""
LAX = "<lax>"
"""Union label of the branch that coerces."""

_LARGEST_EXACT = 2**53

# Every key under which a core schema holds others; the rest is data that must not be touched.
_INNER = frozenset(
    {
        "schema",
        "items_schema",
        "keys_schema",
        "values_schema",
        "choices",
        "steps",
        "fields",
        "arguments_schema",
        "var_args_schema",
        "var_kwargs_schema",
        "extras_schema",
        "extras_keys_schema",
        "lax_schema",
        "strict_schema",
        "json_schema",
        "python_schema",
        "definitions",
    }
)


def exact(schema: Any) -> Any:
    """A copy of a core schema under the rule; the same object where nothing had to change."""
    if isinstance(schema, dict):
        kind = schema.get("type")
        if not isinstance(kind, str):  # fields or choices by name
            return _changed(schema, {key: exact(value) for key, value in schema.items()})
        if kind in ("int", "float"):
            return _number(schema) if not schema.get("strict") else schema
        inner = {key: exact(schema[key]) for key in _INNER.intersection(schema)}
        if kind == "union":
            inner["choices"] = [
                _labelled(choice, old)
                for choice, old in zip(inner["choices"], schema["choices"], strict=True)
            ]
        return _changed(schema, inner)
    if isinstance(schema, list | tuple):
        items = [exact(item) for item in schema]
        if all(new is old for new, old in zip(items, schema, strict=True)):
            return schema
        return type(schema)(items)
    return schema


def _changed(schema: dict[str, Any], inner: dict[str, Any]) -> dict[str, Any]:
    if all(value is schema[key] for key, value in inner.items()):
        return schema
    return schema | inner


def _labelled(choice: Any, original: Any) -> Any:
    """A choice under a label that can be told from a place in the arguments."""
    if isinstance(choice, tuple):
        return choice
    cls = original.get("cls")
    return (choice, f"<{cls.__name__ if cls is not None else original['type']}>")


def _number(schema: dict[str, Any]) -> core_schema.CoreSchema:
    guard = _integer if schema["type"] == "int" else _float
    strict: Any = schema | {"strict": True}
    lax: Any = core_schema.no_info_before_validator_function(guard, schema)
    return core_schema.union_schema([(strict, EXACT), (lax, LAX)], mode="left_to_right")


def _integer(value: Any) -> Any:
    if isinstance(value, bool):
        raise PydanticCustomError("int_type", "Input should be a valid integer, not a boolean")
    if isinstance(value, float) and value.is_integer() and abs(value) > _LARGEST_EXACT:
        raise PydanticCustomError(
            "int_inexact",
            "Input should be a valid integer; this floating-point number is too large to be exact,"
            " write all digits without a point or exponent",
        )
    return value


def _float(value: Any) -> Any:
    if isinstance(value, bool):
        raise PydanticCustomError("float_type", "Input should be a valid number, not a boolean")
    return value
