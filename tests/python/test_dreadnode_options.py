"""Options, names and hand-made tools of the dreadnode dialect."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("timeuot=5", ("timeuot", "truncate")),
        ("catch='ValueError'", ("catch", "ValueError")),
        ("catch=[1]", ("catch", "[1]")),
        ("truncate='many'", ("truncate", "many")),
        ("truncate=1.5", ("truncate", "1.5")),
        ("name=7", ("name", "7")),
    ],
)
def test_a_wrong_option_costs_its_tool_and_names_itself(
    load_text, options: str, words: tuple[str, ...]
) -> None:
    loaded = load_text(
        f"from dreadnode import tool\n@tool({options})\ndef bad(): ...\n@tool\ndef good(): ...\n",
        compat="builtin",
    )
    assert loaded.names == ["good"]
    finding = loaded.only("option_invalid")
    text = finding["message"] + finding["hint"]
    assert all(word in text for word in (*words, "'bad'"))
    assert finding["line"] == 3
    assert finding["tools"] == ["bad"]


def test_a_wrong_option_of_a_method_costs_that_method(load_text) -> None:
    loaded = load_text(
        "import dreadnode\n"
        "class S(dreadnode.Toolset):\n"
        "    @dreadnode.tool_method(variants='read')\n    def bad(self): ...\n"
        "    @dreadnode.tool_method\n    def good(self): ...\n",
        compat="builtin",
    )
    assert loaded.names == ["good"]
    assert "variants" in loaded.only("option_invalid")["message"]


def test_a_negative_length_cuts_nothing_and_says_so(load_text) -> None:
    loaded = load_text("from dreadnode import tool\n@tool(truncate=-5)\ndef f(): ...\n", compat="builtin")
    assert loaded.tools["f"].policy["truncate"] is None
    assert loaded.only("option_invalid")["severity"] == "warning"


@pytest.mark.parametrize(
    ("value", "limit"), [("10", 10), ("'10'", 10), ("0", None), ("None", None), ("10.0", 10)]
)
def test_a_length_may_be_written_in_several_ways(load_text, value: str, limit: int | None) -> None:
    loaded = load_text(
        f"from dreadnode import tool\n@tool(truncate={value})\ndef f(): ...\n", compat="builtin"
    )
    assert loaded.diagnostics == []
    assert loaded.tools["f"].policy["truncate"] == limit


def test_every_way_of_listing_exceptions_is_read_once_and_for_all(load_text) -> None:
    loaded = load_text(
        "from dreadnode import tool\n"
        "@tool(catch=[KeyError])\ndef a(): ...\n"
        "@tool(catch={KeyError})\ndef b(): ...\n"
        "@tool(catch=(KeyError,))\ndef c(): ...\n"
        "@tool(catch=iter([KeyError]))\ndef d(): ...\n"
        "@tool(catch=KeyError)\ndef e(): ...\n"
        "f = a.with_(name='f', catch=[ValueError])\n"
        "@tool(catch=[])\ndef g(): ...\n",
        compat="builtin",
    )
    catch = {name: tool.catch for name, tool in loaded.tools.items()}
    assert catch == {**dict.fromkeys("abcde", (KeyError,)), "f": (ValueError,), "g": ()}


NAMES = {
    "fetchURLData": ("fetchURLData", "fetchurldata"),
    "_hidden": ("_hidden", "hidden"),
    "read__file": ("read__file", "read_file"),
    "plain_name": ("plain_name", None),
    "größe": ("gr_e", None),
    "検索": ("検索", None),
}


@pytest.mark.parametrize("function", NAMES)
def test_a_name_that_providers_accept_is_kept(load_text, function: str) -> None:
    name, former = NAMES[function]
    loaded = load_text(f"from dreadnode import tool\n@tool\ndef {function}(): ...\n", compat="builtin")
    assert loaded.names == [name]
    infos = [diagnostic for diagnostic in loaded.diagnostics if diagnostic["severity"] == "info"]
    assert infos == loaded.diagnostics
    assert [former in info["message"] for info in infos if former] == ([True] if former else [])
    assert len(infos) == (1 if former else 0)


def test_a_given_name_is_taken_as_it_is(load_text) -> None:
    loaded = load_text(
        "from dreadnode import tool, tool_method, Toolset\n"
        "@tool(name='Has Space!', description='  Given.\\n    Indented.')\ndef f(): ...\n"
        "class S(Toolset):\n    @tool_method(name='Other')\n    def g(self): ...\n"
        "    @tool_method\n    def CamelCase(self): ...\n",
        compat="builtin",
    )
    assert loaded.names == ["Has Space!", "Other", "CamelCase"]
    assert loaded.definition("Has Space!")["description"] == "Given.\nIndented."
    assert loaded.diagnostics == []


def test_a_tool_made_by_hand_is_checked_by_its_own_schema(load_text) -> None:
    loaded = load_text(
        "from dreadnode.agents.tools import Tool\n"
        "schema = {'type': 'object', 'properties': {'q': {'type': 'string'}}, 'required': ['q']}\n"
        "find = Tool(name='find', description='Find.', parameters_schema=schema,\n"
        "            fn=lambda q: q.upper(), catch=True)\n"
        "loose = Tool(name='loose', description='', parameters_schema={}, fn=lambda **more: more)\n"
        "wrong = Tool(name='wrong', description='', parameters_schema={'type': 'array'}, fn=lambda: 1)\n"
        "nameless = Tool(name='', description='', fn=lambda: 1)\n",
        compat="builtin",
    )
    assert loaded.names == ["find", "loose"]
    assert loaded.tools["find"].validator is None
    assert loaded.tools["find"].policy["validate_by_schema"] is True
    assert loaded.tools["find"].policy["catch"] == "all"
    assert loaded.schema("find")["required"] == ["q"]
    assert loaded.schema("loose") == {"type": "object", "properties": {}}
    assert loaded.call("find", {"q": "a"}) == "A"
    assert loaded.codes() == ["signature_rejected", "name_invalid"]


def test_a_tool_behaves_like_its_function_and_can_be_copied(load_text) -> None:
    loaded = load_text(
        "from dreadnode import tool\n"
        "@tool(catch=[KeyError], truncate=9)\n"
        "def base(a: int, b: str = 'x') -> str:\n    '''Base.'''\n    return f'{a}{b}'\n"
        "copy = base.clone()\n"
        "copy.name = 'copy'\n"
        "changed = base.with_(name='changed', description='New.', catch=False, truncate=5, offload=False)\n"
        "twice = tool(tool(name='twice')(lambda a: a))\n"
        "RESULT = [base(1), base.name, base.description, base.truncate, base.fn(2, b='y'), base.__name__]\n"
        "SCHEMA = base.parameters_schema\n"
        "assert RESULT == ['1x', 'base', 'Base.', 9, '2y', 'base'], RESULT\n"
        "assert SCHEMA['required'] == ['a'] and list(SCHEMA['properties']) == ['a', 'b']\n"
        "assert base.definition.function.parameters == SCHEMA\n",
        compat="builtin",
    )
    assert loaded.names == ["base", "copy", "changed", "twice"]
    assert loaded.tools["copy"].policy == loaded.tools["base"].policy
    changed = loaded.tools["changed"].policy
    assert (changed["catch"], changed["truncate"], changed["offload"]) == ("none", 5, None)
    assert loaded.definition("changed")["description"] == "New."


def test_tools_that_only_help_are_not_offered(load_text) -> None:
    loaded = load_text(
        "from dreadnode import tool\nfrom dreadnode.tools.execute import execute\n"
        "@tool\nasync def ls(path: str) -> str: return await execute(['ls', path])\n",
        compat="builtin",
    )
    assert loaded.names == ["ls"]
    assert "execute" in loaded.only("imported_tool_skipped")["message"]


def test_a_rigging_method_belongs_to_its_instance(load_text) -> None:
    loaded = load_text(
        "from rigging import tool_method\n"
        "class Thing:\n"
        "    delta = 5\n"
        "    @tool_method(name='add', catch=True)\n"
        "    def delta_add(self, x: int) -> int:\n        '''Add.'''\n        return x + self.delta\n"
        "add = Thing().delta_add\n",
        compat="builtin",
    )
    assert loaded.call("add", {"x": 2}) == 7
    assert loaded.definition("add")["source"]["dialect"] == "rigging"
