"""Definitions and policies: output schemas, flags, options, and functions of many kinds."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("returns", "expected"),
    [
        ("str", {"type": "string"}),
        ("None", {"type": "null"}),
        ("dict[str, int]", {"additionalProperties": {"type": "integer"}, "type": "object"}),
        ("list[int]", {"items": {"type": "integer"}, "type": "array"}),
        ("Iterator[int]", {"items": {"type": "integer"}, "type": "array"}),
        ("AsyncIterator[str]", {"items": {"type": "string"}, "type": "array"}),
        ("Awaitable[int]", {"type": "integer"}),
        ("Any", None),
        ("object", None),
        ("bytes", None),
        ("Image", None),
        ("list[Image]", None),
        ("Image | str", None),
        ("NoReturn", None),
        ("Opaque", None),
        (
            "W",
            {
                "properties": {
                    "t": {"type": "number"},
                    "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
                },
                "required": ["t"],
                "type": "object",
            },
        ),
        (
            "Blob",
            {
                "properties": {"raw": {"type": "string", "contentEncoding": "base64"}},
                "required": ["raw"],
                "type": "object",
            },
        ),
    ],
)
def test_output_schemas(load_text, returns, expected):
    loaded = load_text(
        f"""
from collections.abc import AsyncIterator, Awaitable, Iterator
from typing import Any, NoReturn
from typing_extensions import TypedDict
from pydantic import BaseModel
from pegboard import Image, tool

class Opaque: pass
class W(BaseModel):
    t: float
    note: str | None = None
class Blob(TypedDict):
    raw: bytes

@tool
def f() -> {returns}: ...
"""
    )
    output = loaded.definition("f")["output_schema"]
    assert output == expected


def test_policies_and_flags(load_text):
    loaded = load_text(
        """
from pegboard import Toolset, tool, tool_method

@tool
def plain() -> str: return ""

@tool(name="named", description="said", catch=[ValueError, KeyError], truncate=10, offload=False,
      timeout_seconds=2, parallel=False, max_calls_per_run=3, strict=True, target="client")
async def every() -> str:
    '''not said'''
    return ""

@tool(catch=False, timeout_seconds=None)
def open_ended() -> str: return ""

class T(Toolset):
    @tool_method(catch=OSError)
    async def stream(self):
        yield 1
"""
    )
    assert loaded.tools["plain"].policy == {
        "failure_style": "json",
        "catch": "all",
        "truncate": None,
        "offload": ".pegboard",
        "timeout": "host",
        "validate_by_schema": False,
        "aliases": [],
    }
    assert loaded.definition("plain")["flags"] == {
        "asynchronous": False,
        "parallel": True,
        "max_calls_per_run": None,
        "strict": False,
        "target": "server",
    }
    named = loaded.tools["named"]
    assert named.policy["catch"] == "listed"
    assert named.policy["timeout"] == {"seconds": 2.0}
    assert (named.policy["truncate"], named.policy["offload"]) == (10, None)
    assert named.definition["description"] == "said"
    assert named.definition["flags"] == {
        "asynchronous": True,
        "parallel": False,
        "max_calls_per_run": 3,
        "strict": True,
        "target": "client",
    }
    assert named.catch == (ValueError, KeyError)
    assert loaded.tools["open_ended"].policy["timeout"] == "unlimited"
    assert loaded.tools["open_ended"].policy["catch"] == "none"
    assert loaded.tools["stream"].asynchronous
    assert loaded.tools["stream"].catch == (OSError,)


def test_functions_of_many_kinds(load_text):
    loaded = load_text(
        """
import functools
from pegboard import Tool

def traced(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return ["traced", function(*args, **kwargs)]
    return wrapper

@traced
def wrapped(a: int) -> list[str]:
    '''Wrapped.'''
    return a

class Callable:
    def __init__(self, base: int) -> None: self.base = base
    def __call__(self, a: int) -> int:
        '''Called.'''
        return self.base + a
    async def later(self, a: int) -> int: return a

def three(a: int, b: int, c: int = 3) -> int:
    '''Three.'''
    return a + b + c

t1 = Tool(wrapped)
t2 = Tool(Callable(10), name="object")
t3 = Tool(functools.partial(three, b=5), name="partial")
t4 = Tool(Callable(1).later)
t5 = Tool(functools.partial(three, 100))
"""
    )
    assert loaded.names == ["wrapped", "object", "partial", "later", "three"]
    assert loaded.call("wrapped", {"a": 1}) == ["traced", 1]
    assert loaded.call("object", {"a": 1}) == 11
    assert loaded.definition("object")["description"] == "Called."
    assert loaded.call("partial", {"a": 1}) == 9
    assert loaded.schema("partial")["required"] == ["a"]
    assert loaded.tools["later"].asynchronous
    assert loaded.call("three", {"b": 1}) == 104
    assert loaded.definition("three")["description"] == "Three."
