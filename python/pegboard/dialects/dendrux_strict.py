"""Owns the strict form of a parameters schema: objects closed, all properties required, as OpenAI asks for.

Must not know of signatures or of other providers. The schema is normalised once, when the tool is defined.
"""

from __future__ import annotations

from pegboard.dialects.dendrux_nodes import Schema, json_types, open_object_path, rebuilt, subschemas


def strict_parameters(schema: Schema, tool: str) -> tuple[Schema, tuple[str, ...]]:
    """The strict form of a tool's parameters schema, and a sentence for each rule that it lost.

    Raises `TypeError` with the path of a free-form object, which strict mode has no form for.
    """
    path = open_object_path(schema, "parameters")
    if path is not None:
        raise TypeError(
            f"tool '{tool}' asks for strict=True, but {path} is a free-form object. Strict mode needs every"
            " object to declare its properties: use a BaseModel, dataclass or TypedDict, or drop strict=True"
        )
    return _closed(schema), tuple(_losses(schema, "parameters"))


def _closed(schema: Schema) -> Schema:
    """`schema` with every object in it closed and every declared property required, in order."""
    strict = rebuilt(schema, _closed)
    if "object" in json_types(strict) and "properties" in strict:
        strict["additionalProperties"] = False
        strict["required"] = list(strict["properties"])
    return strict


def _losses(schema: Schema, path: str) -> list[str]:
    """What `_closed` takes away that the author wrote."""
    losses = []
    if "properties" in schema:
        if schema.get("additionalProperties", False) is not False:
            losses.append(f"{path} is closed by strict=True: its additionalProperties rule is gone")
        ghosts = [name for name in schema.get("required", ()) if name not in schema["properties"]]
        if ghosts:
            losses.append(
                f"{path} requires {', '.join(map(repr, ghosts))}, which it does not declare: left out"
            )
    for inner in subschemas(schema):
        losses.extend(_losses(inner.schema, path + inner.step))
    return losses
