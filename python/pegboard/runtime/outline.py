"""Owns the guess which tools a file would define, from its text alone.

For files that cannot be imported: a call of such a tool can then be answered with the reason. Must not run
anything.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

__all__ = ["tool_names"]

_DECORATORS = frozenset({"tool", "tool_method"})
_LINE = re.compile(r"^\s*@(?:\w+\.)*(?:tool|tool_method)\b(?P<rest>.*)$")
_DEFINITION = re.compile(r"^\s*(?:async\s+)?def\s+(?P<name>\w+)")
_NAME = re.compile(r"""\bname\s*=\s*(?P<quote>["'])(?P<name>[^"']+)(?P=quote)""")


def tool_names(text: str) -> tuple[str, ...]:
    """The names of the tools that `text` declares, in order and without repetition."""
    try:
        names = list(_from_tree(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError):
        names = list(_from_lines(text))
    return tuple(dict.fromkeys(names))


def _from_tree(tree: ast.AST) -> Iterator[str]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for decorator in node.decorator_list:
                call = decorator if isinstance(decorator, ast.Call) else None
                if _called(decorator) in _DECORATORS:
                    yield _given_name(call) or node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            if isinstance(node.value, ast.Call) and _called(node.value) == "Tool":
                name = _given_name(node.value)
                if name:
                    yield name
        else:
            yield from _from_tree(node)


def _called(node: ast.expr) -> str | None:
    if isinstance(node, ast.Call):
        return _called(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def _given_name(call: ast.Call | None) -> str | None:
    for keyword in call.keywords if call is not None else ():
        if (
            keyword.arg == "name"
            and isinstance(keyword.value, ast.Constant)
            and isinstance(keyword.value.value, str)
        ):
            return keyword.value.value
    return None


def _from_lines(text: str) -> Iterator[str]:
    """The same by eye, for a text that is not Python."""
    waiting = False
    given: str | None = None
    for line in text.splitlines():
        if decorated := _LINE.match(line):
            waiting, given = True, None
        if waiting and (named := _NAME.search(decorated["rest"] if decorated else line)):
            given = named["name"]
        if waiting and (definition := _DEFINITION.match(line)):
            yield given or definition["name"]
            waiting = False
