"""Importing: names, siblings, import roots, and what a file may not do to others."""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from pathlib import Path

import pytest
from conftest import TOOLS, load_folder, load_sources, source

from pegboard.runtime.exceptions import report
from pegboard.runtime.variables import ROOT_HINT

PROJECT = TOOLS / "imports" / "project"


@pytest.fixture
def project():
    return load_sources(source(PROJECT / "tools", PROJECT))


def test_sibling_relative_and_root_imports_work(project):
    assert project.call("sibling") == 1
    assert project.call("relative") == 2
    assert project.call("root") == [3, 3, 6]


def test_imports_inside_functions_work_after_the_load(project):
    assert project.call("sibling_inside_the_function") == 1
    assert project.call("relative_inside_the_function") == 2


def test_imports_do_not_depend_on_the_working_directory(tmp_path, monkeypatch):
    (tmp_path / "helper.py").write_text("K = 'of the working directory'")
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "config.py").write_text("X = 'of the working directory'")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")
    loaded = load_sources(source(PROJECT / "tools", PROJECT))
    assert loaded.call("sibling") == 1
    assert loaded.call("root") == [3, 3, 6]


def test_tool_files_shadow_nothing(project):
    assert project.call("encode") == '{"a": 1}'
    assert project.call("decode") == {"a": 1}
    assert project.call("named_like_installed") is True
    assert "tools" not in " ".join(map(str, sys.path))


def test_private_names_stay_private(project):
    for name in ("helper", "app", "app.config", "inner", "sibling"):
        assert name not in sys.modules


def test_a_module_that_the_application_has_imported_is_shared(monkeypatch):
    monkeypatch.syspath_prepend(str(PROJECT))
    import app.config

    monkeypatch.setattr(app.config, "X", 30)
    try:
        loaded = load_sources(source(PROJECT / "tools", PROJECT))
        assert loaded.call("root")[0] == 30
    finally:
        for name in [name for name in sys.modules if name == "app" or name.startswith("app.")]:
            del sys.modules[name]


def test_equal_names_in_two_sources_do_not_collide():
    namesake = TOOLS / "imports" / "namesake" / "tools"
    loaded = load_sources(source(PROJECT / "tools", PROJECT), source(namesake))
    assert loaded.call("sibling") == 1
    assert loaded.call("namesake") == 2
    assert loaded.call("sibling_inside_the_function") == 1
    assert loaded.call("namesake_inside_the_function") == 2


def test_helpers_are_reported_but_cost_nothing(project):
    helpers = [each for each in project.diagnostics if each["code"] == "no_tools"]
    assert {Path(each["path"]).name for each in helpers} == {"helper.py", "inner.py"}
    assert {each["severity"] for each in helpers} == {"info"}
    assert len(project.diagnostics) == 2


def test_names_that_are_no_identifiers(project):
    loaded = load_folder("imports/odd_names")
    assert loaded.call("dashed") == 7
    assert loaded.call("inside") == 8
    assert loaded.call("dotted") == "two_dots"
    assert loaded.call("underscored").endswith("two_dots.py")


def test_module_is_registered_while_it_runs_and_pickles():
    assert load_folder("identity").call("is_registered") is True


def test_path_entries_serve_the_source_alone():
    before = list(sys.path)
    loaded = load_folder("imports/paths")
    assert sys.path == before
    assert loaded.call("vendored") == "only_vendored"
    assert loaded.call("vendored_later") == "later"
    assert loaded.call("seen") == []
    assert "only_vendored" not in sys.modules
    finding = loaded.only("process_changed")
    assert finding["severity"] == "info"
    assert finding["line"] == 4
    assert "vendored" in finding["message"]


def test_a_folder_in_front_of_the_path_goes_before_installed_packages(tmp_path, load_text):
    vendor = tmp_path / "vendor"
    vendor.mkdir()
    (vendor / "annotated_types.py").write_text("VENDORED = True")
    loaded = load_text(
        f"""
import sys
sys.path.insert(0, {str(vendor)!r})
import annotated_types
from pegboard import tool

@tool
def vendored() -> bool:
    return getattr(annotated_types, "VENDORED", False)
"""
    )
    assert loaded.call("vendored") is True
    import annotated_types

    assert not hasattr(annotated_types, "VENDORED")


def test_working_directory_is_put_back():
    before = os.getcwd()
    loaded = load_folder("process_changes")
    assert os.getcwd() == before
    (finding,) = [each for each in loaded.diagnostics if "working directory" in each["message"]]
    assert finding["severity"] == "warning"
    assert finding["path"].endswith("changes_folder.py")
    assert finding["line"] == 5
    assert loaded.call("moved") == "ok"


def test_signal_handlers_are_kept():
    before = signal.getsignal(signal.SIGTERM)
    loaded = load_folder("process_changes")
    assert signal.getsignal(signal.SIGTERM) == before
    assert loaded.call("handles") is True
    (finding,) = [each for each in loaded.diagnostics if "SIGTERM" in each["message"]]
    assert finding["line"] == 5
    assert signal.signal.__module__ == "signal"


def test_entries_taken_from_the_path_come_back():
    before = list(sys.path)
    loaded = load_folder("process_changes")
    assert sys.path == before
    assert loaded.call("cleared") == "ok"


def test_environment_is_set_before_the_first_import(monkeypatch):
    monkeypatch.delenv("CAPABILITY_ROOT", raising=False)
    loaded = load_sources(source(TOOLS / "process_changes", CAPABILITY_ROOT="/of/the/capability"))
    assert loaded.call("seen_root") == "/of/the/capability"
    assert "CAPABILITY_ROOT" not in os.environ


READS_ROOT = """
import os, threading, pegboard

def ask(found):
    found.append(os.getenv("CAPABILITY_ROOT"))

@pegboard.tool
def roots() -> list:
    found = [os.environ["CAPABILITY_ROOT"], os.path.expandvars("$CAPABILITY_ROOT")]
    thread = threading.Thread(target=ask, args=[found])
    thread.start()
    thread.join()
    return found
"""


def test_each_capability_finds_its_own_root_in_a_call(monkeypatch, tmp_path):
    monkeypatch.setenv("CAPABILITY_ROOT", "/of/the/process")
    loads = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "reads.py").write_text(READS_ROOT)
        loads.append(load_sources(source(tmp_path / name, CAPABILITY_ROOT=f"/of/{name}")))
    assert [loaded.call("roots") for loaded in loads] == [["/of/a"] * 3, ["/of/b"] * 3]
    assert os.environ["CAPABILITY_ROOT"] == "/of/the/process"


def test_a_file_of_no_capability_is_told_why_it_has_no_root(monkeypatch, load_text):
    monkeypatch.delenv("CAPABILITY_ROOT", raising=False)
    loaded = load_text(READS_ROOT)
    with pytest.raises(KeyError) as raised:
        loaded.call("roots")
    hint = json.loads(report(raised.value, loaded.tools["roots"]))["failure"]["hint"]
    assert hint == ROOT_HINT


def test_a_module_missing_later_is_an_ordinary_error(load_text):
    loaded = load_text(
        """
from pegboard import tool

@tool
def lazy() -> None:
    import pegboard_has_no_such_package
"""
    )
    with pytest.raises(ModuleNotFoundError, match="pegboard_has_no_such_package"):
        loaded.call("lazy")


def test_star_imports_and_fromlist_submodules(tmp_path):
    tools = tmp_path / "tools"
    (tools / "lib").mkdir(parents=True)
    (tools / "lib" / "__init__.py").write_text("from .part import *\n")
    (tools / "lib" / "part.py").write_text("A = 1\n_B = 2\n")
    (tools / "lib" / "other.py").write_text("C = 3\n")
    (tools / "t.py").write_text(
        "from lib import *\nfrom lib import other\nimport lib.other as alias\nfrom pegboard import tool\n"
        "@tool\ndef t() -> list[int]: return [A, other.C, alias.C]\n"
    )
    loaded = load_sources(source(tools))
    assert loaded.call("t") == [1, 3, 3]


def test_circular_sibling_imports(tmp_path):
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "_a.py").write_text("import _b\nA = 1\ndef both(): return A + _b.B\n")
    (tools / "_b.py").write_text("import _a\nB = 2\n")
    (tools / "t.py").write_text(
        "import _a\nfrom pegboard import tool\n@tool\ndef t() -> int: return _a.both()\n"
    )
    assert load_sources(source(tools)).call("t") == 3


def test_a_package_beside_the_file_runs_once(tmp_path):
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "_state.py").write_text("RUNS = []\n")
    (tools / "_once.py").write_text("import _state\n_state.RUNS.append(1)\n")
    (tools / "t.py").write_text(
        "import _once\nfrom ._once import _state as s\nfrom . import _once as again\n"
        "from pegboard import tool\n"
        "@tool\ndef t() -> list[bool | int]: return [_once is again, len(s.RUNS)]\n"
    )
    assert load_sources(source(tools)).call("t") == [True, 1]


def test_relative_imports_reach_up_to_the_import_root(tmp_path):
    (tmp_path / "runtime").mkdir()
    (tmp_path / "runtime" / "client.py").write_text("NAME = 'client'\n")
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "t.py").write_text(
        "from ..runtime.client import NAME\nfrom runtime import client\nfrom pegboard import tool\n"
        "@tool\ndef t() -> bool: return client.NAME is NAME\n"
    )
    assert load_sources(source(tools, tmp_path)).call("t") is True


def test_a_folder_beside_a_module_of_its_name(tmp_path):
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases.py").write_text("K = 'the module'")
    (tmp_path / "cases" / "near.py").write_text("K = 'the neighbour'")
    (tmp_path / "cases" / "tools.py").write_text(
        "from pegboard import tool\nfrom . import near\nfrom cases import K\n"
        "@tool\ndef which() -> list[str]:\n    'Tell.'\n    return [near.K, K]\n"
    )
    loaded = load_sources(source(tmp_path / "cases", tmp_path))
    assert loaded.call("which") == ["the neighbour", "the module"]


def test_a_folder_of_data_does_not_answer_an_import(tmp_path):
    tools = tmp_path / "tools"
    (tools / "pegboard_absent_package").mkdir(parents=True)
    (tools / "pegboard_absent_package" / "rows.csv").write_text("a,b\n")
    (tools / "t.py").write_text("import pegboard_absent_package\n")
    assert load_sources(source(tools)).codes() == ["missing_dependency"]


def test_a_source_is_forgotten_with_its_last_tool():
    loaded = load_sources(source(PROJECT / "tools", PROJECT))
    package = loaded.tools["sibling"].function.__module__.partition(".")[0]
    assert any(name.startswith(package) for name in sys.modules)
    function = loaded.tools["sibling"].function
    kept = loaded.bound.pop()
    del loaded
    gc.collect()
    assert any(name.startswith(package) for name in sys.modules)
    del kept
    gc.collect()
    assert not any(name.startswith(package) for name in sys.modules)
    assert function() == 1


def test_tools_that_are_loaded_while_the_application_is_imported(tmp_path, monkeypatch):
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "t.py").write_text(
        "from pegboard_application import NAME\nfrom pegboard import tool\n"
        "@tool\ndef t() -> str: return NAME\n"
    )
    (tmp_path / "pegboard_application.py").write_text(
        "from conftest import load_sources, source\nfrom pathlib import Path\nNAME = 'application'\n"
        "HERE = Path(__file__).parent\n"
        "LOADED = load_sources(source(HERE / 'tools', HERE), import_timeout_seconds=5.0)"
        " if __name__ == 'pegboard_application' else None\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    import pegboard_application

    assert pegboard_application.LOADED.call("t") == "application"


def test_path_entries_that_are_no_text_are_passed_over(load_text):
    loaded = load_text(
        """
import sys
from pathlib import Path
sys.path += [None, 5, Path("/nowhere")]
import pegboard
from pegboard import tool

@tool
def fine() -> str: return "ok"
"""
    )
    assert loaded.call("fine") == "ok"


def test_a_package_without_init_is_not_taken_from_the_application(tmp_path, monkeypatch):
    for place in ("theirs", "ours"):
        (tmp_path / place / "pegboard_shared_name").mkdir(parents=True)
        (tmp_path / place / "pegboard_shared_name" / "part.py").write_text(f"NAME = {place!r}\n")
    (tmp_path / "ours" / "tools").mkdir()
    (tmp_path / "ours" / "tools" / "t.py").write_text(
        "from pegboard_shared_name.part import NAME\nfrom pegboard import tool\n"
        "@tool\ndef t() -> str: return NAME\n"
    )
    monkeypatch.chdir(tmp_path / "theirs")
    monkeypatch.syspath_prepend("")
    import pegboard_shared_name.part

    assert pegboard_shared_name.part.NAME == "theirs"
    loaded = load_sources(source(tmp_path / "ours" / "tools", tmp_path / "ours"))
    assert loaded.call("t") == "ours"
