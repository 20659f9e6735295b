"""Collecting: what is found, in which order, and what is said about the rest."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import TOOLS, Loaded, load_folder, load_sources, source


@pytest.fixture(scope="module")
def toolsets() -> Loaded:
    return load_folder("toolsets")


def about(loaded: Loaded, file: str):
    return [each for each in loaded.diagnostics if Path(each["path"]).name == file]


def test_definition_order_and_identity():
    loaded = load_folder("collected/order")
    assert loaded.names == ["zebra", "second", "first", "apple", "banana"]
    assert loaded.diagnostics == []


def test_sources_say_where_a_tool_is_defined():
    loaded = load_folder("collected/order")
    file = str(TOOLS / "collected" / "order" / "order.py")
    assert loaded.definition("zebra")["source"] == {
        "path": file,
        "line": 5,
        "dialect": "pegboard",
        "toolset": None,
    }
    assert loaded.definition("second")["source"]["line"] == 11
    assert loaded.definition("second")["source"]["toolset"] == "Middle"


def test_state_lives_in_one_instance(toolsets):
    assert toolsets.call("inc", {"by": 2}) == 2
    assert toolsets.call("inc", {"by": 3}) == 5
    assert list(toolsets.schema("inc")["properties"]) == ["by"]


def test_a_plain_init_works(toolsets):
    assert toolsets.call("remember", {"text": "a"}) == 1
    assert toolsets.call("remember", {"text": "b"}) == 2


def test_required_fields_cost_the_class_alone(toolsets):
    (finding,) = about(toolsets, "needs_url.py")
    assert (finding["code"], finding["severity"]) == ("toolset_field_required", "error")
    assert finding["message"] == "the toolset NeedsUrl needs url"
    assert finding["line"] == 4
    assert finding["tools"] == ["get"]
    assert "tools = NeedsUrl(url=…)" in finding["hint"]
    assert toolsets.call("beside_needs_url") == "ok"


def test_required_arguments_of_an_init(toolsets):
    (finding,) = about(toolsets, "needs_argument.py")
    assert finding["message"] == "the toolset NeedsArgument needs key"
    assert finding["tools"] == ["named_argument_tool"]


def test_an_instance_stands_for_its_class(toolsets):
    assert about(toolsets, "instance_of_needs_url.py") == []
    assert toolsets.call("get_url") == "https://example.test"
    assert toolsets.call("built") == ["https://example.test"]


def test_the_override_wins(toolsets):
    assert toolsets.names.count("who") == 1
    assert toolsets.call("who") == "child"
    assert toolsets.call("inherited") == "inherited by child"
    assert toolsets.definition("inherited")["source"]["toolset"] == "Child"


def test_a_failing_child_leaves_the_base(toolsets):
    (finding,) = about(toolsets, "child_fails.py")
    assert finding["code"] == "toolset_not_built"
    assert finding["message"] == "the toolset Failing could not be built: ConnectionError: no server"
    assert finding["line"] == 12
    assert toolsets.call("fallback") == "base"


def test_abstract_classes_are_no_fault(toolsets):
    assert about(toolsets, "abstract.py") == []
    assert toolsets.call("concrete") == "detail"


def test_leaving_the_process_costs_the_class(toolsets):
    (finding,) = about(toolsets, "exits_when_built.py")
    assert (finding["code"], finding["line"]) == ("toolset_not_built", 8)
    assert "SystemExit" in finding["message"]
    assert finding["tools"] == ["left"]


def test_a_method_may_be_named_like_a_builtin(toolsets):
    assert toolsets.call("list") == "listed"
    assert toolsets.call("add", {"xs": [1, 2]}) == 3
    assert toolsets.schema("add")["properties"]["xs"] == {"items": {"type": "integer"}, "type": "array"}
    assert toolsets.schema("str")["properties"]["given"] == {"type": "string"}


def test_variants_choose_methods(toolsets):
    assert "look" in toolsets.names
    assert "plain" in toolsets.names
    assert "change" not in toolsets.names


def test_overrides_without_decorator(toolsets):
    (finding,) = about(toolsets, "overrides.py")
    assert (finding["code"], finding["severity"]) == ("decorator_misplaced", "warning")
    assert "Partial.undecorated" in finding["message"]
    assert finding["line"] == 21
    assert "kept" in toolsets.names
    assert "undecorated" not in toolsets.names
    assert "taken_away" not in toolsets.names


def test_a_method_that_the_module_offers_is_not_misplaced(load_text):
    loaded = load_text(
        "from dendrux import tool\n"
        "class Holder:\n"
        "    @tool()\n"
        "    def method(self, a: int) -> int:\n"
        "        'Double.'\n"
        "        return 2 * a\n"
        "method = Holder().method\n",
        compat="builtin",
    )
    assert loaded.diagnostics == []
    assert loaded.names == ["method"]


def test_a_tool_under_another_decorator_is_told(load_text):
    loaded = load_text(
        "import functools\n"
        "from pegboard import tool\n"
        "def logged(function):\n"
        "    @functools.wraps(function)\n"
        "    def wrapper(*args, **kwargs):\n"
        "        return function(*args, **kwargs)\n"
        "    return wrapper\n"
        "@logged\n"
        "@tool\n"
        "def lost(a: int) -> int:\n"
        "    return a\n"
        "@functools.cache\n"
        "@tool\n"
        "def cached(a: int) -> int:\n"
        "    return a\n"
        "@tool\n"
        "@logged\n"
        "def right(a: int) -> int:\n"
        "    return a\n"
        "again = functools.cache(right)\n",
        compat="builtin",
    )
    assert loaded.names == ["right"]
    found = [(each["code"], each["severity"], each["line"], each["tools"]) for each in loaded.diagnostics]
    assert found == [
        ("decorator_misplaced", "error", 10, ["lost"]),
        ("decorator_misplaced", "error", 14, ["cached"]),
    ]


def test_a_method_that_returns_nothing_is_fine(load_text):
    loaded = load_text(
        "from pegboard import Toolset, tool_method\n"
        "class Set(Toolset):\n"
        "    @tool_method\n"
        "    def clear(self) -> None:\n"
        "        'Clear.'\n",
        compat="builtin",
    )
    assert loaded.diagnostics == []


def test_a_class_without_tools_is_not_built(toolsets):
    assert about(toolsets, "without_tools.py") == []


def test_misplaced_decorators(toolsets):
    found = {each["message"].split(" ", 1)[0]: each for each in about(toolsets, "misplaced.py")}
    assert set(found) == {
        "Plain.on_plain_class",
        "PlainMethods.method_on_plain_class",
        "ClassMethods.over_classmethod",
        "Set.tool_in_toolset",
        "Set.static",
        "the",
    }
    assert {each["code"] for each in found.values()} == {"decorator_misplaced"}
    assert found["Plain.on_plain_class"]["line"] == 6
    assert found["ClassMethods.over_classmethod"]["line"] == 19
    assert "@tool_method" in found["Plain.on_plain_class"]["hint"]
    assert found["Set.tool_in_toolset"]["hint"] == "decorate it with @tool_method"
    assert found["the"]["hint"] == "decorate it with @tool"
    assert toolsets.call("right") == 1


def test_mixins_are_no_plain_classes(toolsets):
    assert about(toolsets, "mixin.py") == []
    assert toolsets.call("mixed_in") == "Mixed"


def test_sync_calls_of_one_instance_share_a_number(toolsets):
    assert toolsets.tools["who"].serial == toolsets.tools["inherited"].serial
    assert toolsets.tools["who"].serial != toolsets.tools["inc"].serial
    assert toolsets.tools["beside_settings"].serial is None


def test_a_toolset_may_allow_concurrent_calls(load_text):
    loaded = load_text(
        """
from pegboard import Toolset, tool_method

class T(Toolset):
    concurrent = True

    @tool_method
    def a(self) -> str: return "a"
"""
    )
    assert loaded.tools["a"].serial is None


def test_imported_tools(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS / "collected" / "installed"))
    loaded = load_folder("collected/taken")
    places = {name: Path(tool.definition["source"]["path"]).name for name, tool in loaded.tools.items()}
    assert places == {
        "shared": "_shared.py",
        "other_installed": "a_imports.py",
        "own": "a_imports.py",
        "from_b": "b_defines.py",
    }
    skipped = [each for each in loaded.diagnostics if each["code"] == "imported_tool_skipped"]
    assert [Path(each["path"]).name for each in skipped] == [
        "_shared.py",
        "a_imports.py",
        "c_through_helper.py",
    ]
    assert {each["severity"] for each in skipped} == {"info"}
    assert "installed_tools" in skipped[1]["message"]


def test_tools_of_a_module_that_is_no_tool_file(tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "kit.py").write_text(
        "from pegboard import tool\n@tool\ndef kit() -> str: return 'kit'\n"
    )
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "a.py").write_text("from shared.kit import kit\n")
    (tools / "b.py").write_text("from shared.kit import kit\n")
    loaded = load_sources(source(tools, tmp_path))
    assert loaded.names == ["kit"]
    assert [Path(each["path"]).name for each in loaded.diagnostics] == ["b.py"]


def test_files_without_tools():
    loaded = load_folder("collected/empty")
    (finding,) = loaded.diagnostics
    assert (finding["code"], finding["severity"]) == ("no_tools", "warning")
    assert Path(finding["path"]).name == "no_tools.py"


def test_wrong_options_cost_the_tool_alone():
    loaded = load_folder("collected/options")
    assert loaded.names == ["right", "untouched"]
    assert loaded.call("untouched") == "still callable"
    assert set(loaded.codes()) == {"option_invalid"}
    messages = {each["tools"][0]: each["message"] for each in loaded.diagnostics}
    assert "no option 'timeuot'; accepted are name, description, catch" in messages["misspelt"]
    assert "truncate must be at least 1" in messages["too_small"]
    assert "catch takes True, False or exception classes" in messages["catches_text"]
    assert "'by position' was given by position" in messages["by_position"]
    assert 'must have "type": "object"' in messages["no_object"]
    assert "name must not be empty" in messages["unnamed"]
    assert "variants" in messages["variants_of_a_function"]
    assert "max_calls_per_run takes a whole number" in messages["wrong_count"]
    assert all(each["line"] for each in loaded.diagnostics)


@pytest.mark.parametrize("text", ["lambda: 1", "print"])
def test_names_that_cannot_be_used(load_text, text):
    loaded = load_text(f"from pegboard import Tool\nmade = Tool({text})\n")
    if text == "print":
        assert loaded.names == ["print"]
    else:
        assert loaded.only("name_invalid")["hint"] == "give one: name=…"


def test_objects_that_refuse_to_be_looked_at(load_text):
    loaded = load_text(
        """
from pegboard import tool

class Hostile:
    @property
    def __class__(self):
        raise RuntimeError("do not look")
    def __eq__(self, other):
        raise RuntimeError("do not compare")
    def __getattr__(self, name):
        raise RuntimeError("do not ask")

hostile = Hostile()

@tool
def fine() -> str:
    return "ok"
"""
    )
    assert loaded.names == ["fine"]


def test_duplicate_names_are_all_returned(load_text):
    load_text("from pegboard import tool\n@tool\ndef good() -> str: return 'A'\n", "a.py")
    loaded = load_text("from pegboard import tool\n@tool\ndef good() -> str: return 'B'\n", "b.py")
    assert loaded.names == ["good", "good"]
    assert [tool.function() for tool in loaded.bound] == ["A", "B"]


LOADS = """
import sys
sys.path.insert(0, {conftest!r})
import conftest
conftest.load_folder("collected/order")
print(sorted(name for name in sys.modules if name.startswith("pegboard.dialects.")))
"""


def test_a_load_pays_only_for_the_dialects_that_it_meets():
    text = LOADS.format(conftest=str(Path(__file__).parent))
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0] == "['pegboard.dialects.pegboard']"
