"""Owns the fast path of judging arguments: one pass of pydantic-core that accepts only what plainly fits.

Must never accept what the rules in `dendrux_arguments` refuse, nor change a value; what it does not accept is
judged there.
"""

from __future__ import annotations

from collections.abc import Collection

from pydantic_core import CoreSchema, SchemaValidator
from pydantic_core import core_schema as core

from pegboard.dialects.dendrux_nodes import COMPOSITES, Schema, json_types

_STRICT: dict[str, CoreSchema] = {
    "string": core.str_schema(strict=True),
    "integer": core.int_schema(strict=True),
    "boolean": core.bool_schema(strict=True),
    "array": core.list_schema(strict=True),
    "object": core.dict_schema(strict=True),
    "null": core.none_schema(),
    # A whole number stays an int: the tool gets what the JSON says.
    "number": core.union_schema(
        [core.int_schema(strict=True), core.float_schema(strict=True)], mode="left_to_right"
    ),
}


def quick_validator(
    properties: dict[str, Schema], required: Collection[str], filled: Collection[str], extra: Schema | bool
) -> SchemaValidator | None:
    """A validator of JSON text that returns the arguments by name, or `None` if none judges as the rules do.

    `filled` are the names that become `None` when they are left out; `extra` is what other names may hold, if
    any.
    """
    fields: dict[str, core.TypedDictField] = {}
    for name, schema in properties.items():
        plain = _plain(schema)
        if plain is None:
            return None
        if name in filled:
            plain = core.with_default_schema(plain, default=None)
        fields[name] = core.typed_dict_field(plain, required=name in required)
    if isinstance(extra, dict) or not set(required) <= fields.keys():
        return None
    return SchemaValidator(core.typed_dict_schema(fields, extra_behavior="allow" if extra else "forbid"))


def _plain(schema: Schema) -> CoreSchema | None:
    """What one value must be, or `None` where pydantic-core cannot tell it as the rules do."""
    names = json_types(schema)
    if COMPOSITES & schema.keys() or not _STRICT.keys() >= set(names):
        return core.any_schema()
    kinds = [_STRICT[name] for name in names]
    typed = core.union_schema(list(kinds), mode="left_to_right") if kinds else core.any_schema()
    options = schema.get("enum")
    if not isinstance(options, list):
        return typed
    # Python holds 1, 1.0 and True for equal and JSON does not, so the type is settled before values are.
    comparable = all(type(value) in (str, int, type(None)) for value in options)
    if comparable and options and kinds and set(names) <= {"string", "integer", "null"}:
        return core.chain_schema([typed, core.literal_schema(options)])
    return None
