"""The authoring API: what a tool file can rely on before anything is loaded."""

from __future__ import annotations

import asyncio
import copy
import inspect
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import PrivateAttr, ValidationError

import pegboard
from pegboard import Audio, Image, PegboardError, Resource, Stop, Tool, Toolset, errors, tool, tool_method

REPOSITORY = Path(__file__).resolve().parents[2]


def test_a_tool_is_still_the_function():
    @tool
    def add(a: int, b: int = 2) -> int:
        """Add."""
        return a + b

    assert add(1) == 3
    assert (add.__name__, add.__doc__, add.name) == ("add", "Add.", "add")
    assert list(inspect.signature(add).parameters) == ["a", "b"]
    assert isinstance(add, Tool)
    assert repr(add) == "<Tool 'add'>"


def test_options_go_by_keyword_and_parentheses_are_optional():
    @tool()
    def bare() -> str:
        return "ok"

    @tool(name="other", catch=False)
    async def later() -> str:
        return "later"

    assert bare() == "ok"
    assert (later.name, later.options.catch) == ("other", False)
    assert asyncio.run(later()) == "later"


def test_a_wrong_option_does_not_raise():
    @tool(nme="x", truncate="many")
    def f() -> str:
        return "callable"

    assert f() == "callable"
    assert len(f.problems) == 2
    assert "no option 'nme'" in f.problems[0]


def test_a_tool_needs_a_function():
    with pytest.raises(TypeError, match="a tool needs a function"):
        Tool(5)


def test_a_tool_in_a_class_is_bound_like_a_function():
    class Plain:
        @tool
        def method(self, a: int) -> int:
            return a

    assert Plain().method(3) == 3
    assert isinstance(Plain.method, Tool)


class Base(Toolset):
    url: str = "default"
    items: list[str] = []  # noqa: RUF012 - pydantic copies it
    _count: int = PrivateAttr(default=3)
    _made: dict[str, int] = PrivateAttr(default_factory=dict)

    @tool_method
    def count(self) -> int:
        """Count."""
        self._count += 1
        return self._count


class WithoutSuper(Base):
    def __init__(self) -> None:
        self.cache = {"a": 1}
        self._made["x"] = 1


class AssignsBefore(Base):
    def __init__(self) -> None:
        self.early = 1
        self.url = "early"
        self._count = 9
        super().__init__()
        self.late = 2


def test_a_plain_init_needs_no_super():
    made = WithoutSuper()
    assert (made.cache, made.url, made.items, made._count) == ({"a": 1}, "default", [], 3)
    assert made._made == {"x": 1}
    assert made.count() == 4
    assert WithoutSuper()._made == {"x": 1}
    assert made.items is not WithoutSuper().items


def test_what_was_assigned_before_super_stays():
    made = AssignsBefore()
    assert (made.early, made.url, made._count, made.late) == (1, "early", 9, 2)
    assert made._made == {}


def test_fields_are_checked():
    assert Base(url="u").url == "u"
    with pytest.raises(ValidationError):
        Base(url=5)
    with pytest.raises(ValidationError, match="Extra inputs"):
        Base(ulr="u")


def test_other_attributes_behave_like_pythons_own():
    class Special(Toolset):
        @property
        def fixed(self) -> int:
            return 1

        def model_post_init(self, context: object) -> None:
            self.made_late = "late"

    made = Special()
    assert (made.fixed, made.made_late) == (1, "late")
    with pytest.raises(AttributeError):
        made.fixed = 2
    with pytest.raises(AttributeError):
        _ = made.absent
    assert copy.deepcopy(AssignsBefore()).early == 1


def test_tool_methods_are_methods():
    assert Base().count() == 4
    assert Base.count(Base()) == 4
    assert Base.count.name == "count"
    assert Base.count.__doc__ == "Count."
    with pytest.raises(TypeError, match="cannot be subscripted"):
        Base.count[int]
    with pytest.raises(TypeError, match="a tool method needs a function"):
        tool_method()(5)


def test_a_method_stands_back_for_the_type_that_it_hides():
    class Hides(Toolset):
        @tool_method
        def dict(self) -> str:
            return "d"

        @tool_method
        def use(self, given: dict[str, int]) -> dict[str, int]:
            return given

    assert Hides().use({"a": 1}) == {"a": 1}


def test_every_error_has_the_one_base_and_a_code():
    made = [
        errors.UnknownToolError("text", name="a", near=["b"]),
        errors.ToolNotLoadedError("text", name="a", diagnostic={"code": "syntax_error"}),
        errors.SourceError("text", path=Path("/x")),
        errors.SettingError("text", setting="s"),
        errors.InterpreterError("text"),
        errors.AbortedError("text", tool="t", failure={"kind": "raised"}),
        errors.UnknownCallError("text", call_id="c"),
        errors.UnreadableAnswerError("text", provider="openai"),
        errors.ClosedError("text"),
        errors.InternalError("text"),
        Stop("text"),
    ]
    assert {type(each) for each in made} == {getattr(errors, name) for name in errors.__all__} - {
        PegboardError
    } | {Stop}
    for error in made:
        assert isinstance(error, PegboardError)
        assert str(error) == "text"
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
    assert len({error.code for error in made}) == len(made)


def test_error_codes_are_the_hosts():
    text = (REPOSITORY / "src" / "error.rs").read_text()
    listed = text[text.index("fn code(&self)") :]
    listed = listed[: listed.index("\n    }\n")]
    codes = {part.split('"')[1] for part in listed.splitlines() if '=> "' in part}
    # What is read before there is a host has no code there.
    own = {"PegboardError", "UnreadableAnswerError"}
    assert codes == {getattr(errors, name).code for name in errors.__all__ if name not in own}


def test_content_shows_sizes_and_not_bytes():
    assert repr(Image(b"abc")) == "Image(3 bytes, mime_type=None)"
    assert repr(Audio(b"abc", "audio/wav")) == "Audio(3 bytes, mime_type='audio/wav')"
    assert repr(Resource(uri="x:y")) == "Resource(no bytes, uri='x:y', mime_type=None)"
    with pytest.raises(ValueError, match="needs data, a uri, or both"):
        Resource()


def test_star_import_gives_the_authoring_names():
    names: dict[str, object] = {}
    exec("from pegboard import *", names)
    assert names["tool"] is tool
    assert set(pegboard.__all__) <= set(names)


WITHOUT_NATIVE = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name == "pegboard._native":
            raise ModuleNotFoundError("No module named 'pegboard._native'", name=name)

sys.meta_path.insert(0, Refuse())
import pegboard
assert "pegboard._native" not in sys.modules
try:
    from pegboard import Host
except ImportError as error:
    assert "only in the wheel" in str(error), error
else:
    raise SystemExit("no error")
try:
    pegboard.absent
except AttributeError as error:
    assert "has no attribute 'absent'" in str(error)
else:
    raise SystemExit("no error")
assert "Host" in dir(pegboard)
import pegboard.__main__
raise SystemExit(pegboard.__main__.main())
"""


def run_python(text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", text],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(REPOSITORY / "python"), "PATH": ""},
        check=False,
    )


def test_what_is_compiled_is_named_where_it_is_missing():
    done = run_python(WITHOUT_NATIVE)
    assert done.returncode == 3, done.stderr
    assert "the command line is only in the wheel" in done.stderr


def test_a_tool_file_does_not_pay_for_the_host():
    done = run_python(
        "import sys, pegboard\n"
        "print([name for name in ('asyncio', 'pegboard._native', 'pegboard.runtime.load')"
        " if name in sys.modules])"
    )
    assert done.stdout == "[]\n", done.stderr


TYPED = """
from typing import assert_type
from pegboard import Tool, Toolset, tool, tool_method

@tool
def add(a: int, b: str = "x") -> float: return 1.0

@tool(name="n", catch=[ValueError], timeout_seconds=None)
async def later(a: int) -> str: return ""

class T(Toolset):
    @tool_method
    def bare(self, a: int) -> str: return ""
    @tool_method(variants=["a"])
    def given(self, a: int) -> bytes: return b""

assert_type(add(1, b="y"), float)
assert_type(T().bare(1), str)
assert_type(T().given(1), bytes)

async def main() -> None:
    assert_type(await later(1), str)
"""

WRONG = """
from pegboard import Toolset, tool, tool_method

@tool
def add(a: int) -> float: return 1.0

class T(Toolset):
    @tool_method
    def m(self, a: int) -> str: return ""

add("x")
T().m("x")
tool(nme="x")
"""


@pytest.mark.parametrize(("text", "lines"), [(TYPED, []), (WRONG, [11, 12, 13])])
def test_decorated_functions_keep_their_types(tmp_path, text, lines):
    pytest.importorskip("mypy", reason="types are checked where mypy is installed")
    file = tmp_path / "case.py"
    file.write_text(text)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--follow-imports=silent",
            "--cache-dir",
            str(tmp_path),
            str(file),
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"MYPYPATH": str(REPOSITORY / "python"), "PATH": ""},
        check=False,
    )
    found = [int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line]
    assert found == lines, done.stdout + done.stderr
