"""The dendrux dialect: what it recognises, and what a host gets for it."""

from __future__ import annotations

import base64
import json
import math
from pathlib import Path
from typing import Any

import pytest

from pegboard.compat.dendrux.media import Image, ToolOutput
from pegboard.compat.dendrux.tool import tool
from pegboard.dialects.dendrux import DIALECT
from pegboard.dialects.dendrux_render import render
from pegboard.runtime.bound import Rendered
from pegboard.runtime.load import load

PNG = b"\x89PNG\r\n\x1a\nrest"


def loaded(folder: Path, text: str, name: str = "tools.py") -> tuple[dict[str, Any], list[Any]]:
    """The report and the tools of one file."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    source = {"root": str(folder), "import_roots": [], "files": [str(file)], "environment": []}
    report, tools = load(json.dumps({"sources": [source], "options": {"compat": "builtin"}}))
    return json.loads(report), tools


def test_definition_and_policy(tmp_path: Path) -> None:
    report, tools = loaded(
        tmp_path,
        '''
from dendrux import tool

@tool(parallel=False, max_calls_per_run=2, timeout_seconds=7, target="client", strict=True)
async def act(a: int) -> str:
    """Acts.

        Indented.
    Not so.
    """
    return "ok"
''',
    )
    assert report["diagnostics"] == []
    assert report["tools"] == [
        {
            "definition": {
                "name": "act",
                "description": "Acts.\n\n    Indented.\nNot so.",
                "parameters_schema": {
                    "type": "object",
                    "properties": {"a": {"type": "integer"}},
                    "required": ["a"],
                    "additionalProperties": False,
                },
                "output_schema": None,
                "source": {
                    "path": str(tmp_path / "tools.py"),
                    "line": 5,
                    "dialect": "dendrux",
                    "toolset": None,
                },
                "flags": {
                    "asynchronous": True,
                    "parallel": False,
                    "max_calls_per_run": 2,
                    "strict": True,
                    "target": "client",
                },
            },
            "policy": {
                "failure_style": "error_code",
                "catch": "all",
                "truncate": None,
                "offload": ".pegboard",
                "timeout": {"seconds": 7.0},
                "validate_by_schema": False,
            },
        }
    ]
    assert tools[0].asynchronous
    assert not tools[0].plain_text


def test_default_time_limit(tmp_path: Path) -> None:
    report, _ = loaded(tmp_path, "from dendrux import tool\n@tool()\ndef act(): ...\n")
    assert report["tools"][0]["policy"]["timeout"] == {"seconds": 120.0}


def test_rejected_tools_cost_nothing_but_themselves(tmp_path: Path) -> None:
    report, tools = loaded(
        tmp_path,
        """
import functools
from dendrux import tool

@tool()
def good(a: int): ...

@tool()
def typed(a: int | str): ...

@tool(target="agent")
def placed(): ...

@tool()
def lost(a: "Nowhere"): ...

nameless = tool()(lambda: 1)
part = tool()(functools.partial(good, a=1))

assert typed(5) is None
""",
    )
    assert [made.name for made in tools] == ["good"]
    findings = [
        (found["code"], found["severity"], found["line"], found["tools"]) for found in report["diagnostics"]
    ]
    assert findings == [
        ("signature_rejected", "error", 9, ["typed"]),
        ("option_invalid", "error", 12, ["placed"]),
        ("parameter_unresolved", "error", 15, ["lost"]),
        ("name_invalid", "error", 17, ["<lambda>"]),
        ("signature_rejected", "error", 6, ["partial"]),
    ]
    assert "parameter 'a' of tool 'typed'" in report["diagnostics"][0]["message"]


def test_type_defined_further_down_is_found(tmp_path: Path) -> None:
    report, tools = loaded(
        tmp_path,
        """
from __future__ import annotations
from dataclasses import dataclass
from dendrux import tool

@tool()
def act(later: Later): ...

@dataclass
class Later:
    n: int
""",
    )
    assert report["diagnostics"] == []
    assert tools[0].definition["parameters_schema"]["properties"]["later"]["required"] == ["n"]
    assert tools[0].function.__tool_def__.name == "act"


def test_the_rest_of_dendrux_can_be_imported(tmp_path: Path) -> None:
    report, tools = loaded(
        tmp_path,
        """
from __future__ import annotations
import dendrux.tool
from dendrux import Agent, RunNotFoundError, ToolOutput, heartbeat, tool
from dendrux.llm import AnthropicProvider
from dendrux.tool import get_tool_def
from dendrux.types import ToolTarget

class Mine(Agent):
    kept = 3

@tool(target=ToolTarget.SERVER)
def act(a: int, agent: str = "x") -> Agent | None:
    heartbeat()
    try:
        Mine(tools=[act])
    except ImportError as error:
        assert Mine.kept == 3
        assert not hasattr(Agent, "run")
        return str(error)
    except RunNotFoundError:
        return None

assert dendrux.tool is tool
assert get_tool_def(act).name == "act"
""",
    )
    assert report["diagnostics"] == []
    message = tools[0].function(a=1)
    assert "dendrux.Agent (the base of Mine) is not available" in message
    assert "pip install dendrux" in message


def test_unknown_name_is_an_import_error_that_names_it(tmp_path: Path) -> None:
    report, tools = loaded(tmp_path, "from dendrux import Nonsense\n")
    assert tools == []
    assert "Nonsense" in report["diagnostics"][0]["message"]


@pytest.mark.parametrize(
    ("options", "flag", "timeout", "message"),
    [
        ("max_calls_per_run=-1", 0, {"seconds": 120.0}, "max_calls_per_run=-1 of tool 'act'"),
        ("max_calls_per_run=True", 1, {"seconds": 120.0}, None),
        ("max_calls_per_run=2**40", 2**32 - 1, {"seconds": 120.0}, None),
        ("timeout_seconds=-1", None, {"seconds": 0.0}, "timeout_seconds=-1.0 of tool 'act'"),
        ("timeout_seconds=float('nan')", None, {"seconds": 0.0}, "timeout_seconds=nan of tool 'act'"),
        ("timeout_seconds=float('inf')", None, "unlimited", None),
    ],
)
def test_odd_limits(
    tmp_path: Path, options: str, flag: int | None, timeout: Any, message: str | None
) -> None:
    report, _ = loaded(tmp_path, f"from dendrux import tool\n@tool({options})\ndef act(): ...\n")
    assert report["tools"][0]["definition"]["flags"]["max_calls_per_run"] == flag
    assert report["tools"][0]["policy"]["timeout"] == timeout
    told = [(found["severity"], found["message"]) for found in report["diagnostics"]]
    assert len(told) == (0 if message is None else 1)
    assert all(severity == "warning" and message in text for severity, text in told if message)


def test_what_an_explicit_schema_promises_and_the_function_cannot_take(tmp_path: Path) -> None:
    text = """
from dendrux import tool
@tool(parameters={"type": "object", "properties": {"a": {}, "b": {"default": float("nan")}}})
def act(a): ...
"""
    report, _ = loaded(tmp_path, text)
    assert report["tools"][0]["definition"]["parameters_schema"]["properties"] == {"a": {}, "b": {}}
    assert [found["message"] for found in report["diagnostics"]] == [
        "parameters= of tool 'act' declares b, which the function does not take"
    ]


def test_strict_tool_that_is_not_strict_everywhere_is_told(tmp_path: Path) -> None:
    text = """
from dendrux import tool
@tool(strict=True, parameters={"type": "object", "properties": {"a": {"title": "A"}}})
def act(a): ...
"""
    report, _ = loaded(tmp_path, text)
    assert [(found["severity"], found["message"]) for found in report["diagnostics"]] == [
        ("info", "tool 'act' cannot be strict for Anthropic: schema.a has no type")
    ]


def test_only_marked_objects_are_owned() -> None:
    class Marked:
        __tool_def__ = "something else"

    def plain() -> None: ...

    def marked() -> None: ...

    marked.__tool_def__ = {"name": "marked"}  # type: ignore[attr-defined]
    tool()(plain)
    assert DIALECT.owns(plain)
    assert not any(map(DIALECT.owns, (Marked, Marked(), marked, 5, None, DIALECT)))


def test_values_are_written_as_json_dumps_writes_them() -> None:
    assert render("é") == b'"\\u00e9"'
    assert render({"b": [1, 2.0, None]}) == b'{"b": [1, 2.0, null]}'
    assert render([math.nan]) == Rendered("[NaN]")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": [1, {2}]}, "$.a[1] is of type set"),
        ({(1, 2): 0}, "$ has a key of type tuple"),
        (DIALECT, "$ is of type pegboard.dialects.dendrux.DendruxDialect"),
    ],
)
def test_what_is_no_json_is_named_with_its_place(value: object, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        render(value)
    assert message in str(caught.value)


def test_pictures_stand_beside_the_result(tmp_path: Path) -> None:
    file = tmp_path / "a.png"
    file.write_bytes(PNG)
    encoded = base64.b64encode(PNG).decode()
    images = [
        Image.from_bytes(PNG),
        Image.from_path(file),
        Image.from_base64(f"data:image/png;base64,{encoded}"),
        Image.from_url("https://example.com/a.png"),
    ]
    rendered = render(ToolOutput({"n": 4}, images=images))
    block = {"type": "image", "mime_type": "image/png", "data": encoded}
    link = {"type": "resource", "mime_type": "image/png", "uri": "https://example.com/a.png", "data": None}
    assert rendered == Rendered('{"n": 4}', b'{"n": 4}', (block, block, block, link))


def test_tool_output_takes_pictures_alone() -> None:
    with pytest.raises(TypeError, match="must be a sequence of images"):
        ToolOutput(1, images=Image.from_bytes(b""))
    with pytest.raises(TypeError, match="takes Image objects, got str"):
        ToolOutput(1, images=["a.png"])
