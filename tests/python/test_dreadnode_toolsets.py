"""Toolsets of the dreadnode dialect: fields, variants, inheritance, contexts, and who offers what."""

from __future__ import annotations

import asyncio
import json

import pytest

from pegboard.runtime.lifetime import leave_all


def test_fields_and_model_post_init_work(load_text) -> None:
    loaded = load_text(
        "import dreadnode\nfrom pydantic import Field\n"
        "class Kept(dreadnode.Toolset):\n"
        "    limit: int = Field(3, ge=1)\n"
        "    depth: int = dreadnode.Config(4, help='How deep')\n"
        "    names: list[str] = dreadnode.Config(default_factory=list)\n"
        "    def model_post_init(self, context) -> None:\n"
        "        self.names.append('ready')\n"
        "    @dreadnode.tool_method\n"
        "    def state(self) -> list: return [self.limit, self.depth, self.names, self.name]\n",
        compat="builtin",
    )
    assert loaded.call("state") == [3, 4, ["ready"], "Kept"]


def test_a_required_field_names_itself_and_costs_only_its_class(load_text) -> None:
    loaded = load_text(
        "import dreadnode\n"
        "class Needs(dreadnode.Toolset):\n"
        "    url: str\n"
        "    key: str = dreadnode.Config(...)\n"
        "    @dreadnode.tool_method\n"
        "    def get(self) -> str: return self.url\n"
        "class Fine(dreadnode.Toolset):\n"
        "    @dreadnode.tool_method\n"
        "    def ok(self) -> str: return 'ok'\n",
        compat="builtin",
    )
    assert loaded.names == ["ok"]
    finding = loaded.only("toolset_field_required")
    assert "Needs" in finding["message"]
    assert "url" in finding["message"]
    assert "key" in finding["message"]
    assert finding["tools"] == ["get"]


def test_a_module_level_instance_is_used_and_its_class_not_built_again(load_text) -> None:
    loaded = load_text(
        "import dreadnode\n"
        "class Needs(dreadnode.Toolset):\n"
        "    url: str\n"
        "    @dreadnode.tool_method\n"
        "    def get(self) -> str: return self.url\n"
        "needs = Needs(url='here')\n",
        compat="builtin",
    )
    assert loaded.names == ["get"]
    assert loaded.diagnostics == []
    assert loaded.call("get") == "here"


@pytest.mark.parametrize("error", ["ValueError", "TypeError", "RuntimeError", "SystemExit"])
def test_a_class_that_cannot_be_built_costs_only_itself(load_text, error: str) -> None:
    loaded = load_text(
        "import dreadnode\n"
        "class Bad(dreadnode.Toolset):\n"
        "    def __init__(self) -> None:\n"
        f"        raise {error}('in the constructor')\n"
        "    @dreadnode.tool_method\n"
        "    def act(self) -> str: return 'x'\n"
        "@dreadnode.tool\n"
        "def good() -> int: return 1\n",
        compat="builtin",
    )
    assert loaded.names == ["good"]
    assert error in loaded.only("toolset_not_built")["message"]


VARIANTS = """
import dreadnode
class V(dreadnode.Toolset):
    {variant}
    @dreadnode.tool_method(variants=["read"])
    def look(self): return 'l'
    @dreadnode.tool_method(variants=["read", "write"])
    def both(self): return 'b'
    @dreadnode.tool_method
    def plain(self): return 'p'
"""


@pytest.mark.parametrize(
    ("variant", "names"),
    [
        ("variant: str | None = 'read'", ["look", "both"]),
        ("variant: str | None = 'write'", ["both"]),
        ("variant: str | None = 'all'", ["plain"]),
        ("pass", ["look", "both", "plain"]),
    ],
)
def test_a_variant_chooses_methods(load_text, variant: str, names: list[str]) -> None:
    assert load_text(VARIANTS.format(variant=variant), compat="builtin").names == names


INHERITED = """
import dreadnode
class Base(dreadnode.Toolset):
    @dreadnode.tool_method
    def act(self):
        '''Act of base.'''
        return 'base'
    @dreadnode.tool_method
    def keep(self): return 'kept'
class Child(Base):
    {override}
    def act(self):
        '''Act of child.'''
        return 'child'
"""


def test_the_override_of_a_child_wins_and_its_base_is_not_built(load_text) -> None:
    loaded = load_text(INHERITED.format(override="@dreadnode.tool_method"), compat="builtin")
    assert sorted(loaded.names) == ["act", "keep"]
    assert loaded.call("act") == "child"
    assert loaded.call("keep") == "kept"
    assert loaded.definition("act")["description"] == "Act of child."
    assert loaded.diagnostics == []


def test_an_override_without_the_decorator_takes_the_tool_away_and_says_so(load_text) -> None:
    loaded = load_text(INHERITED.format(override="# not decorated"), compat="builtin")
    assert loaded.names == ["keep"]
    finding = loaded.only("decorator_misplaced")
    assert "Child.act" in finding["message"]
    assert finding["tools"] == ["act"]
    assert finding["line"] == 12


def test_an_abstract_base_is_no_tool_and_no_finding(load_text) -> None:
    loaded = load_text(
        "import abc\nimport dreadnode\n"
        "class Base(dreadnode.Toolset, abc.ABC):\n"
        "    @abc.abstractmethod\n    def source(self): ...\n"
        "    @dreadnode.tool_method\n    def act(self): return self.source()\n"
        "class Child(Base):\n    def source(self): return 'child'\n",
        compat="builtin",
    )
    assert loaded.call("act") == "child"
    assert loaded.diagnostics == []


CONTEXT = """
import dreadnode
EVENTS = []
class Ctx(dreadnode.Toolset):
    {enter}
        EVENTS.append('enter')
        self.ready = True
        return self
    {leave}
        EVENTS.append('leave')
    @dreadnode.tool_method
    def act(self): return self.ready
    @dreadnode.tool_method
    async def other(self): return EVENTS
"""


@pytest.mark.parametrize(
    ("enter", "leave"),
    [
        ("async def __aenter__(self):", "async def __aexit__(self, *exc):"),
        ("def __enter__(self):", "def __exit__(self, *exc):"),
    ],
)
def test_a_context_is_entered_once_for_all_tools_and_left_at_the_end(
    load_text, enter: str, leave: str
) -> None:
    loaded = load_text(CONTEXT.format(enter=enter, leave=leave), compat="builtin")
    act, other = loaded.tools["act"], loaded.tools["other"]
    assert act.enter is not None
    assert other.enter is not None

    async def live() -> list[str]:
        await asyncio.gather(act.enter(), other.enter())
        assert act.function() is True
        await act.enter()
        events = await other.function()
        assert events == ["enter"]
        assert json.loads(await leave_all(1.0)) == []
        return events

    assert asyncio.run(live()) == ["enter", "leave"]


def test_an_inherited_context_is_entered_too(load_text) -> None:
    text = CONTEXT.format(enter="def __enter__(self):", leave="def __exit__(self, *exc):")
    loaded = load_text(text + "class Child(Ctx): ...\n", compat="builtin")
    assert loaded.definition("act")["source"]["toolset"] == "Child"
    assert loaded.tools["act"].enter is not None


def test_a_context_that_cannot_be_left_is_a_finding(load_text) -> None:
    loaded = load_text(
        "import dreadnode\n"
        "class Half(dreadnode.Toolset):\n"
        "    def __enter__(self): return self\n"
        "    @dreadnode.tool_method\n    def act(self): return 1\n",
        compat="builtin",
    )
    assert loaded.names == []
    assert "Half" in loaded.only("toolset_not_built")["message"]


def test_get_tools_may_be_overridden(load_text) -> None:
    loaded = load_text(
        "import dreadnode\nfrom dreadnode.agents.tools import Tool\n"
        "class Inner(dreadnode.Toolset):\n"
        "    n: int = 0\n"
        "    @dreadnode.tool_method\n    def count(self):\n        self.n += 1\n        return self.n\n"
        "class Outer(dreadnode.Toolset):\n"
        "    inner: Inner = Inner()\n"
        "    def get_tools(self, *, variant=None):\n"
        "        def loose(a: int) -> int:\n            '''Loose.'''\n            return a\n"
        "        return [*super().get_tools(), self.inner, Tool.from_callable(loose, name='named'), 7]\n"
        "    @dreadnode.tool_method\n    def own(self): return 'own'\n",
        compat="builtin",
    )
    assert loaded.names == ["count", "own", "count", "named"]
    assert loaded.call("named", {"a": 2}) == 2
    assert "7" in loaded.only("signature_rejected")["message"]


def test_a_get_tools_that_raises_costs_only_its_toolset(load_text) -> None:
    loaded = load_text(
        "import dreadnode\n"
        "class Bad(dreadnode.Toolset):\n"
        "    def get_tools(self, *, variant=None): raise KeyError('gone')\n"
        "@dreadnode.tool\ndef good(): return 1\n",
        compat="builtin",
    )
    assert loaded.names == ["good"]
    assert "KeyError: 'gone'" in loaded.only("toolset_not_built")["message"]


def test_the_tools_of_one_instance_share_a_number(load_text) -> None:
    loaded = load_text(
        "import typing\nimport dreadnode\n"
        "class One(dreadnode.Toolset):\n"
        "    @dreadnode.tool_method\n    def a(self): ...\n"
        "    @dreadnode.tool_method\n    def b(self): ...\n"
        "class Two(dreadnode.Toolset):\n"
        "    @dreadnode.tool_method\n    def c(self): ...\n"
        "class Free(dreadnode.Toolset):\n"
        "    concurrent: typing.ClassVar[bool] = True\n"
        "    @dreadnode.tool_method\n    def d(self): ...\n"
        "@dreadnode.tool\ndef e(): ...\n",
        compat="builtin",
    )
    serial = {name: tool.serial for name, tool in loaded.tools.items()}
    assert serial["a"] == serial["b"] is not None
    assert serial["c"] not in (None, serial["a"])
    assert serial["d"] is serial["e"] is None


def test_static_and_class_methods_and_other_receivers_work(load_text) -> None:
    loaded = load_text(
        "import dreadnode\n"
        "class Odd(dreadnode.Toolset):\n"
        "    @dreadnode.tool_method\n    @staticmethod\n    def stat(a: int): return ['static', a]\n"
        "    @dreadnode.tool_method\n    @classmethod\n"
        "    def of_class(cls, a: int): return [cls.__name__, a]\n"
        "    @dreadnode.tool_method\n    def receiver(this, a: int): return [this.name, a]\n"
        "    @dreadnode.tool_method\n    def list(self) -> list[int]: return [1]\n"
        "    @dreadnode.tool_method\n    def add(self, xs: list[int], ys: list = []): return sum(xs)\n",
        compat="builtin",
    )
    for name, first in (("stat", "static"), ("of_class", "Odd"), ("receiver", "Odd")):
        assert loaded.schema(name)["required"] == ["a"]
        assert loaded.call(name, {"a": 1}) == [first, 1]
    assert loaded.schema("add")["properties"]["xs"]["items"] == {"type": "integer"}


@pytest.mark.parametrize("static", ["", "    @staticmethod\n"])
def test_the_wrong_decorator_in_a_toolset_costs_that_method(load_text, static: str) -> None:
    loaded = load_text(
        "import dreadnode\n"
        "class S(dreadnode.Toolset):\n"
        f"    @dreadnode.tool\n{static}    def wrong(a: int = 1): ...\n"
        "    @dreadnode.tool_method\n    def right(self): return 1\n",
        compat="builtin",
    )
    assert loaded.names == ["right"]
    finding = loaded.only("decorator_misplaced")
    assert finding["tools"] == ["wrong"]
    assert "@tool_method" in finding["hint"]


def test_decorators_that_do_nothing_are_named(load_text) -> None:
    loaded = load_text(
        "from dreadnode import tool, tool_method\n"
        "class Plain:\n"
        "    @tool_method\n    def method(self): ...\n"
        "    @staticmethod\n    @tool\n    def function(): ...\n"
        "@tool_method\ndef loose(): ...\n",
        compat="builtin",
    )
    assert loaded.names == []
    named = [tool for diagnostic in loaded.diagnostics for tool in diagnostic["tools"]]
    assert "loose" in named
    assert any(name in ("method", "function") for name in named)
    assert set(loaded.codes()) == {"decorator_misplaced"}
