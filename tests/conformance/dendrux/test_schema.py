"""Every recorded definition: schema, name, description, options, strict copies, and every rejection."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pegboard.dialects.dendrux import DIALECT
from pegboard.dialects.dendrux_anthropic import anthropic_copy
from pegboard.dialects.dendrux_strict import strict_parameters

from ..verdicts import judge
from .cases import CASES, REAL, Loaded, describe, import_as_source, load_case
from .records import differences, plain, read

RECORDS = read("schema")
DIFFERENCES = differences("schema")
OPTIONS = ("target", "parallel", "max_calls_per_run", "timeout_seconds", "has_explicit_timeout", "strict")
KEYS = ("name", "description", "schema", "options", "strict_openai", "strict_anthropic")
NAMED = re.compile(r"(?:[Pp]arameter|tool|name) '([^']+)'|but (\S+) is a free-form object")


@pytest.mark.parametrize("key", RECORDS)
def test_definition(key: str) -> None:
    record = RECORDS[key]
    recorded = {name: plain(record[name]) for name in KEYS} if record["ok"] else _rejection(record)
    judge(key, recorded, _answer(load_case(record["case"]), recorded), DIFFERENCES)


def _rejection(record: dict[str, Any]) -> dict[str, Any]:
    """A rejection is known by the class of its error and by what it names; its words are its own."""
    names = {first or second for first, second in NAMED.findall(record["error_message"])}
    return {"error": record["error_type"], "names": sorted(names)}


def _answer(loaded: Loaded, recorded: dict[str, Any]) -> dict[str, Any]:
    if loaded.error is not None:
        named = [name for name in recorded.get("names", ()) if name in str(loaded.error)]
        return {"error": type(loaded.error).__name__, "names": named}
    assert loaded.tool is not None, loaded.findings
    definition = loaded.tool.definition
    held = loaded.value.__tool_def__
    flags = definition["flags"]
    assert (flags["parallel"], flags["target"], flags["strict"]) == (held.parallel, held.target, held.strict)
    schema = definition["parameters_schema"]
    copy, problem = anthropic_copy(schema)
    answer = {
        "name": definition["name"],
        "description": definition["description"],
        "schema": schema,
        "options": {name: getattr(held, name) for name in OPTIONS} | {"target": str(held.target)},
        "strict_openai": schema if held.strict else _strict(schema),
        "strict_anthropic": {"problem": problem, "schema": copy},
    }
    return {name: plain(value) for name, value in answer.items()}


def _strict(schema: dict[str, Any]) -> dict[str, Any]:
    try:
        return strict_parameters(schema, "t")[0]
    except TypeError as error:
        place = NAMED.findall(str(error))[-1][1]
        return {"refused_at": place}


REJECTED = [
    record["case"] for record in RECORDS.values() if record["error_type"] not in (None, "SyntaxError")
]


@pytest.mark.parametrize("case", REJECTED)
def test_a_rejected_tool_costs_itself_alone(case: str) -> None:
    if REAL:
        pytest.skip("dendrux's own decorator raises whoever imports the file")
    module = import_as_source(CASES / "schema" / f"{case}.py")
    for variable, value in vars(module).items():
        if DIALECT.owns(value):
            loaded = describe(value, variable, module)
            assert loaded.tool is not None or [one.severity for one in loaded.findings] == ["error"]
