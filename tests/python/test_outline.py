"""The guess which tools a file would define, from its text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.runtime.outline import tool_names

TEXT = """
import kit
from kit import tool, Tool

@tool
def plain(): ...

@kit.tool(name="given", catch=True)
async def renamed(): ...

@other
def not_a_tool(): ...

if True:
    @tool()
    @other
    def nested(): ...

class T:
    @kit.tool_method
    def method(self): ...

    def helper(self): ...

made = Tool(name="made", function=print)
typed: Tool = kit.Tool(print, name="typed")

def outer():
    return 1
"""


def test_declared_tools_are_found_in_order():
    assert tool_names(TEXT) == ("plain", "given", "nested", "method", "made", "typed")


def test_a_text_that_is_not_python_is_read_by_eye():
    broken = TEXT.replace("made = Tool", "def broken(:\nmade = Tool")
    assert tool_names(broken) == ("plain", "given", "nested", "method")


def test_a_decorator_over_several_lines():
    assert tool_names('@tool(\n    name="x",\n)\ndef f(a): ...\ndef broken(:') == ("x",)


@pytest.mark.parametrize("text", ["", "\0", "x = (", "@tool", "\ud83d"])
def test_anything_is_answered(text):
    assert tool_names(text) == ()


@given(st.text())
def test_no_text_makes_it_fail(text):
    assert isinstance(tool_names(text), tuple)
