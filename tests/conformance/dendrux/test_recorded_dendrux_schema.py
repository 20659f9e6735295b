"""Every recorded tool definition: schema, name, description, options, strict copies, and every rejection."""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import Any

import pytest
from dendrux_cases import REAL, Loaded, load_case
from dendrux_differences import SCHEMAS
from dendrux_records import read, same
from dendrux_tally import judge

from pegboard.dialects.dendrux_anthropic import anthropic_copy
from pegboard.dialects.dendrux_strict import strict_parameters

RECORDS = read("schema")
OPTIONS = ("target", "parallel", "max_calls_per_run", "timeout_seconds", "has_explicit_timeout", "strict")


@pytest.mark.parametrize("record", RECORDS, ids=[record["case"] for record in RECORDS])
def test_definition(record: dict[str, Any]) -> None:
    case = record["case"]
    difference = SCHEMAS.get(case)
    if difference is not None and REAL and not difference.real_too:
        difference = None
    loaded = load_case(case)
    if difference is not None:
        problem = _other(loaded, difference.expected)
        judge("schema", case, problem, difference.reason)
    elif not record["ok"]:
        judge("schema", case, _rejection(record, loaded))
    else:
        problem, dedented = _definition(record, loaded)
        judge("schema", case, problem, "the description is dedented" if dedented else None)


def _other(loaded: Loaded, expected: Any) -> str | None:
    """What is wrong with an answer that differs on purpose."""
    if isinstance(expected, str):
        text = str(loaded.error)
        named = isinstance(loaded.error, TypeError) and expected in text
        return None if named else f"{expected!r} is not named in {loaded.error!r}"
    if loaded.tool is None:
        return f"it was rejected: {loaded.error!r} {loaded.findings}"
    schema = loaded.tool.definition["parameters_schema"]
    return None if same(schema, expected) else f"the schema is {schema}"


def _rejection(record: dict[str, Any], loaded: Loaded) -> str | None:
    """A rejection has the same class and names the same tool and parameter; its words are its own."""
    if loaded.error is None:
        return "it was not rejected"
    kind = type(loaded.error).__name__
    if kind != record["error_type"]:
        return f"the error is {loaded.error!r}"
    for name in re.findall(r"(?:[Pp]arameter|tool|name) '([^']+)'", record["error_message"]):
        if name not in str(loaded.error):
            return f"{name!r} is not named in {str(loaded.error)!r}"
    place = re.search(r"but (\S+) is a free-form object", record["error_message"])
    if place is not None and place[1] not in str(loaded.error):
        return f"the path {place[1]!r} is not named in {str(loaded.error)!r}"
    return None


def _definition(record: dict[str, Any], loaded: Loaded) -> tuple[str | None, bool]:
    """What is wrong with a definition, and whether its description differs by its indentation."""
    if loaded.tool is None:
        return f"it was rejected: {loaded.error!r} {loaded.findings}", False
    definition = loaded.tool.definition
    held = loaded.value.__tool_def__
    schema = definition["parameters_schema"]
    copy, reason = anthropic_copy(schema)
    options = {name: getattr(held, name) for name in OPTIONS}
    answers = {
        "name": definition["name"],
        "description": definition["description"],
        "schema": schema,
        "options": {**options, "target": str(options["target"])},
        "strict_openai": _strict(schema),
        "strict_anthropic": {"problem": reason, "schema": copy},
    }
    wanted = {**record, "description": cleandoc(record["description"])}
    for key, answer in answers.items():
        if not same(answer, wanted[key]):
            return f"{key} is {answer}", False
    flags = definition["flags"]
    kept = (held.parallel, str(held.target), held.strict)
    if (flags["parallel"], flags["target"], flags["strict"]) != kept:
        return f"the flags are {flags}", False
    return None, wanted["description"] != record["description"]


def _strict(schema: dict[str, Any]) -> dict[str, Any]:
    try:
        return strict_parameters(schema, "t")[0]
    except TypeError as error:
        place = re.search(r"but (\S+) is a free-form object", str(error))
        assert place is not None
        return {"refused_at": place[1]}
