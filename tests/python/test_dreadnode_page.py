"""What the framework's tools page promises, each promise with a file that takes it at its word."""

from __future__ import annotations

import asyncio
import json

import pytest
from pydantic import ValidationError
from pydantic_core import from_json

LOOKUP = """
import typing as t
from dreadnode import tool

@tool
def lookup(indicator: t.Annotated[str, "IP, domain, or hash"]) -> dict[str, str]:
    '''Look it up.'''
    return {"indicator": indicator, "verdict": "unknown"}
"""


def test_a_function_is_described_by_its_docstring_and_annotations(load_text) -> None:
    loaded = load_text(LOOKUP, compat="builtin")
    assert loaded.diagnostics == []
    definition = loaded.definition("lookup")
    assert definition["description"] == "Look it up."
    assert definition["parameters_schema"]["properties"]["indicator"] == {
        "title": "Indicator",
        "type": "string",
        "description": "IP, domain, or hash",
    }
    assert definition["source"]["dialect"] == "dreadnode"
    assert definition["source"]["line"] == 6
    value = loaded.call("lookup", {"indicator": "x"})
    assert loaded.tools["lookup"].render(value) == b'{"indicator":"x","verdict":"unknown"}'


@pytest.mark.parametrize(
    "imports",
    [
        "from dreadnode import tool",
        "from dreadnode.agents import tool",
        "from dreadnode.agents.tools import tool",
        "from dreadnode.core.tools import tool",
        "from dreadnode.agent.tools import tool",
        "from dreadnode.agent.tools.base import tool",
    ],
)
def test_the_decorator_is_found_wherever_it_has_lived(load_text, imports: str) -> None:
    loaded = load_text(LOOKUP.replace("from dreadnode import tool", imports), compat="builtin")
    assert loaded.names == ["lookup"]


def test_a_rigging_file_loads(load_text) -> None:
    loaded = load_text(LOOKUP.replace("from dreadnode", "from rigging"), compat="builtin")
    assert loaded.definition("lookup")["source"]["dialect"] == "rigging"
    assert loaded.tools["lookup"].policy["offload"] == ".pegboard"
    assert loaded.tools["lookup"].stop_tag == "rg-stop"


def test_an_async_tool_is_called_on_the_loop(load_text) -> None:
    loaded = load_text(
        "from dreadnode import tool\n@tool\nasync def fetch(url: str) -> dict:\n    return {'url': url}\n",
        compat="builtin",
    )
    tool = loaded.tools["fetch"]
    assert tool.asynchronous
    assert asyncio.run(tool.function(url="u")) == {"url": "u"}


POLICIES = """
from dreadnode import tool

@tool
def plain(): ...
@tool(catch=True)
def every(): ...
@tool(catch=[ConnectionError, TimeoutError])
def listed(): ...
@tool(catch=False)
def none(): ...
@tool(truncate=4000)
def cut(): ...
"""


def test_the_default_catches_what_the_page_says(load_text) -> None:
    loaded = load_text(POLICIES, compat="builtin")
    assert set(loaded.tools["plain"].catch) == {json.JSONDecodeError, ValidationError}
    policies = {name: tool.policy["catch"] for name, tool in loaded.tools.items()}
    assert policies == {
        "plain": "listed",
        "every": "all",
        "listed": "listed",
        "none": "none",
        "cut": "listed",
    }
    assert set(loaded.tools["listed"].catch) == {ConnectionError, TimeoutError}


def test_the_host_may_have_every_exception_caught_by_default(load_text) -> None:
    loaded = load_text(POLICIES, compat="builtin", catch_default="all")
    policies = {name: tool.policy["catch"] for name, tool in loaded.tools.items()}
    assert policies == {"plain": "all", "every": "all", "listed": "listed", "none": "none", "cut": "all"}


def test_output_limits_are_the_hosts_to_keep(load_text) -> None:
    loaded = load_text(POLICIES, compat="builtin")
    assert loaded.tools["cut"].policy["truncate"] == 4000
    assert loaded.tools["plain"].policy["truncate"] is None
    assert loaded.tools["plain"].policy["offload"] == ".dreadnode"
    assert loaded.tools["plain"].policy["timeout"] == "unlimited"
    assert loaded.tools["plain"].policy["failure_style"] == "error_element"


@pytest.mark.parametrize("call_super", ["", "        super().__init__()\n"])
def test_a_toolset_keeps_what_its_constructor_sets(load_text, call_super: str) -> None:
    loaded = load_text(
        "import typing as t\nimport dreadnode\n"
        "class IntelTools(dreadnode.Toolset):\n"
        "    def __init__(self) -> None:\n"
        f"{call_super}"
        "        self.cache: dict[str, str] = {}\n"
        "    @dreadnode.tool_method\n"
        "    def lookup(self, indicator: t.Annotated[str, 'Indicator']) -> dict[str, str]:\n"
        "        '''Look up an indicator.'''\n"
        "        self.cache[indicator] = 'seen'\n"
        "        return self.cache\n",
        compat="builtin",
    )
    assert loaded.diagnostics == []
    assert loaded.schema("lookup")["required"] == ["indicator"]
    assert loaded.call("lookup", {"indicator": "a"}) == {"a": "seen"}
    assert loaded.call("lookup", {"indicator": "b"}) == {"a": "seen", "b": "seen"}
    assert loaded.definition("lookup")["source"]["toolset"] == "IntelTools"


def test_attributes_set_before_the_constructor_of_the_base_stay(load_text) -> None:
    loaded = load_text(
        "import dreadnode\n"
        "class Early(dreadnode.Toolset):\n"
        "    step: int = 2\n"
        "    def __init__(self) -> None:\n"
        "        self.cache = ['before']\n"
        "        super().__init__(step=5)\n"
        "    @dreadnode.tool_method\n"
        "    def look(self) -> list: return [*self.cache, self.step]\n",
        compat="builtin",
    )
    assert loaded.call("look") == ["before", 5]


def test_private_attributes_hold_what_is_made_on_first_use(load_text) -> None:
    loaded = load_text(
        "import dreadnode\nfrom pydantic import PrivateAttr\n"
        "class Lazy(dreadnode.Toolset):\n"
        "    _client: object | None = PrivateAttr(default=None)\n"
        "    made: int = 0\n"
        "    def _ensure(self) -> object:\n"
        "        if self._client is None:\n"
        "            self._client, self.made = object(), self.made + 1\n"
        "        return self._client\n"
        "    @dreadnode.tool_method(catch=True, truncate=100)\n"
        "    async def fetch(self) -> int:\n"
        "        self._ensure()\n"
        "        return self.made\n",
        compat="builtin",
    )
    tool = loaded.tools["fetch"]
    assert [asyncio.run(tool.function()) for _ in range(2)] == [1, 1]
    assert (tool.catch, tool.policy["truncate"], tool.asynchronous) == (True, 100, True)


def test_a_failure_in_a_file_costs_the_tool_that_has_it(load_text) -> None:
    loaded = load_text(
        "from dreadnode import tool\n"
        "class Opaque: ...\n"
        "@tool\ndef bad(x: Opaque): ...\n"
        "@tool\ndef unknown(x: 'Nowhere'): ...\n"
        "@tool\ndef good(): return 1\n",
        compat="builtin",
    )
    assert loaded.names == ["good"]
    assert loaded.codes() == ["signature_rejected", "parameter_unresolved"]
    assert [diagnostic["tools"] for diagnostic in loaded.diagnostics] == [["bad"], ["unknown"]]
    assert "'Nowhere'" in loaded.diagnostics[1]["message"]


def test_two_strings_and_a_field_describe_one_parameter(load_text) -> None:
    loaded = load_text(
        "from __future__ import annotations\n"
        "from typing import Annotated\nfrom pydantic import Field\nfrom dreadnode import tool\n"
        "@tool\ndef run(n: Annotated[int, 'how many', 'at most', Field(ge=1)]) -> str: return str(n)\n",
        compat="builtin",
    )
    assert from_json(json.dumps(loaded.schema("run")["properties"]["n"])) == {
        "description": "how many\nat most",
        "minimum": 1,
        "title": "N",
        "type": "integer",
    }


def test_bytes_are_text_and_numbers_are_read_laxly(load_text) -> None:
    loaded = load_text(
        "from dreadnode import tool\n@tool\ndef read(data: bytes, n: int, f: bool): return [data, n, f]\n",
        compat="builtin",
    )
    assert loaded.schema("read")["properties"]["data"] == {
        "format": "binary",
        "title": "Data",
        "type": "string",
    }
    assert loaded.call("read", {"data": "é", "n": "5", "f": "yes"}) == ["é".encode(), 5, True]
