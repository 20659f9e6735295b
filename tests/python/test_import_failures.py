"""Files that cannot be imported: each costs itself and says why, where, and what to do."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import pytest
from conftest import TOOLS, Loaded, load_folder, load_sources, source

from pegboard.runtime.source import PREFIX


@pytest.fixture(scope="module")
def failures() -> Loaded:
    return load_folder("failures")


def of(loaded: Loaded, file: str):
    (found,) = [each for each in loaded.diagnostics if Path(each["path"] or "").name == file]
    return found


def test_the_good_files_are_loaded(failures):
    assert failures.names == ["good", "latin", "guarded", "ran_a_loop"]
    assert failures.call("good") == "ok"
    assert failures.call("guarded") == "ok"
    assert failures.call("ran_a_loop") == "ok"
    assert failures.call("latin") == "grüße"


@pytest.mark.parametrize(
    ("file", "code", "line", "tools"),
    [
        ("needs_missing_package.py", "missing_dependency", 3, ["dependent"]),
        ("needs_missing_package_deeper.py", "missing_dependency", 3, ["dependent_deeper"]),
        ("needs_missing_sibling.py", "import_failed", 3, ["sibling_less"]),
        ("needs_missing_submodule.py", "import_failed", 1, ["submodule_less"]),
        ("needs_missing_name.py", "import_failed", 2, ["name_less"]),
        ("syntax.py", "syntax_error", 12, ["broken_by_name", "unfinished"]),
        ("syntax_in_a_sibling.py", "import_failed", 3, ["over_broken_sibling"]),
        ("null_character.py", "syntax_error", 3, ["nul"]),
        ("exits.py", "exited_at_import", 11, ["exiting"]),
        ("interrupts.py", "exited_at_import", 9, ["interrupting"]),
        ("raises_deeper.py", "import_failed", 5, ["unset"]),
        ("raises_unprintable.py", "import_failed", 16, ["unprintable", "named_by_call"]),
        ("latin_1_undeclared.py", "file_unreadable", 3, []),
    ],
)
def test_each_failure_is_one_finding(failures, file, code, line, tools):
    finding = of(failures, file)
    assert (finding["code"], finding["severity"]) == (code, "error")
    assert finding["line"] == line
    assert finding["tools"] == tools
    assert "pegboard_source_" not in finding["message"]


@pytest.mark.parametrize(
    ("file", "parts"),
    [
        (
            "needs_missing_package.py",
            ["pegboard_needs_this_missing_package", sys.executable, "ModuleNotFoundError"],
        ),
        (
            "needs_missing_package_deeper.py",
            ["pegboard_needs_this_other_package", "_imports_missing_package.py:1"],
        ),
        ("needs_missing_sibling.py", ["'absent'"]),
        ("needs_missing_submodule.py", ["'pydantic'", "'pydantic.not_a_module'"]),
        ("needs_missing_name.py", ["ImportError", "NotAName"]),
        ("syntax_in_a_sibling.py", ["SyntaxError", "_unfinished.py:1"]),
        ("exits.py", ["SystemExit", "status 5"]),
        ("interrupts.py", ["KeyboardInterrupt"]),
        ("raises_deeper.py", ["JSONDecodeError: Expecting value", "json/decoder.py"]),
        ("raises_unprintable.py", ["Unprintable"]),
        ("latin_1_undeclared.py", ["utf-8"]),
    ],
)
def test_the_message_names_the_thing(failures, file, parts):
    message = of(failures, file)["message"]
    assert [part for part in parts if part not in message] == []


def test_the_hint_for_a_missing_package_can_be_run(failures):
    hint = of(failures, "needs_missing_package.py")["hint"]
    assert hint == f"{sys.executable} -m pip install pegboard_needs_this_missing_package"


def test_failed_modules_are_removed(failures):
    failed = (".exits", ".raises_deeper", ".syntax", ".interrupts")
    left = [name for name in sys.modules if name.startswith(PREFIX) and name.endswith(failed)]
    assert left == []


def test_a_file_that_is_gone_or_a_folder(tmp_path):
    (tmp_path / "folder.py").mkdir()
    asked = source(tmp_path) | {"files": [str(tmp_path / "absent.py"), str(tmp_path / "folder.py")]}
    loaded = load_sources(asked)
    assert loaded.codes() == ["file_unreadable", "file_unreadable"]
    assert [Path(each["path"]).name for each in loaded.diagnostics] == ["absent.py", "folder.py"]


def test_an_empty_load():
    loaded = load_sources()
    assert loaded.report == {"tools": [], "diagnostics": [], "modules": []}


def test_slow_files_do_not_hold_up_the_others():
    begun = time.monotonic()
    loaded = load_folder("slow", import_timeout_seconds=1.0)
    # Both slow files wait at the same time; one after the other would be the sum of the limits and more.
    assert time.monotonic() - begun < 5
    assert loaded.names == ["quick"]
    assert loaded.codes() == ["import_timed_out", "import_timed_out"]
    sleeping, spinning = loaded.diagnostics
    assert (sleeping["line"], sleeping["tools"]) == (11, ["late"])
    assert spinning["line"] in (13, 14)
    assert "1 s" in sleeping["message"]


def test_a_spinning_file_is_stopped():
    load_sources(
        source(TOOLS / "slow") | {"files": [str(TOOLS / "slow" / "b_spins.py")]}, import_timeout_seconds=0.2
    )
    deadline = time.monotonic() + 10
    while any(thread.name == "pegboard-import" and _spins(thread) for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _spins(thread: threading.Thread) -> bool:
    frame = sys._current_frames().get(thread.ident)
    while frame is not None:
        if frame.f_code.co_filename.endswith("b_spins.py"):
            return True
        frame = frame.f_back
    return False


def test_the_load_runs_no_code_on_the_callers_thread(load_text):
    loaded = load_text(
        """
import threading
from pegboard import Toolset, tool, tool_method

HERE = threading.get_ident()

class Here(Toolset):
    def __init__(self) -> None:
        self.here = threading.get_ident()

    @tool_method
    def built(self) -> int:
        return self.here

@tool
def imported() -> int:
    return HERE
"""
    )
    assert loaded.call("imported") != threading.get_ident()
    assert loaded.call("built") != threading.get_ident()
