"""Owns what pegboard answers to a schema record: the tools of a case file as its dialects describe them.

Must not need pytest: it also runs in an environment that has nothing but the real package.
"""

from __future__ import annotations

from typing import Any, Literal

from pegboard.runtime.bound import BoundTool

from . import cases, described

FRAMEWORKS: dict[str, Literal["all", "documented"]] = {"dreadnode": "all", "rigging": "documented"}
"""Each framework with the host setting under which its package's default is the same."""


def answer(framework: str, record: dict[str, Any]) -> dict[str, Any]:
    try:
        module = cases.module("schema", record["case"], framework)
        variable = record.get("variable")
        if variable is None:
            objects = described.tool_objects(module)
        else:
            value = eval(variable, vars(module))
            objects = [
                (variable, item) for item in ([value] if described.is_owned(value) else found_on(value))
            ]
    except Exception:
        return {"rejected": True}
    tools = [
        item
        for name, value in objects
        for item in described.describe(value, name, module, FRAMEWORKS[framework])
        if isinstance(item, BoundTool)
    ]
    if len(tools) <= record["position"]:
        return {"rejected": True}
    if variable is None or "error_type" in record:
        return {"tools": {tool.name: tool.definition["parameters_schema"] for tool in tools}}
    return aspects(tools[record["position"]])


def found_on(value: Any) -> list[Any]:
    """The tool methods of a plain object, which only the framework's own function finds."""
    from dreadnode.agents.tools import discover_tools_on_obj

    return list(discover_tools_on_obj(value))


def aspects(tool: BoundTool) -> dict[str, Any]:
    schema = tool.definition["parameters_schema"]
    return {
        "name": tool.name,
        "description": tool.definition["description"],
        "schema": schema,
        "order": list(schema["properties"]),
        "catch": tool.catch if isinstance(tool.catch, bool) else sorted(kind.__name__ for kind in tool.catch),
        "truncate": tool.policy["truncate"],
    }
