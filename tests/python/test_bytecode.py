"""Byte code: used where it is right, never where the text has changed."""

from __future__ import annotations

import importlib.util
import marshal
import os
import py_compile
import sys
from pathlib import Path

import pytest
from conftest import load_sources, source

TOOL = "from pegboard import tool\nfrom ._h import K\n\n@tool\ndef k() -> int: return K\n"


@pytest.fixture(autouse=True)
def write_bytecode(monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "t.py").write_text(TOOL)
    (tmp_path / "_h.py").write_text("K = 1\n")
    return tmp_path


def cached(path: Path) -> Path:
    return Path(importlib.util.cache_from_source(path))


def load_k(folder: Path) -> int:
    return load_sources(source(folder)).call("k")


def test_an_edit_of_equal_size_and_time_is_seen(folder):
    stamp = os.stat(folder / "_h.py").st_mtime_ns
    assert load_k(folder) == 1
    (folder / "_h.py").write_text("K = 2\n")
    os.utime(folder / "_h.py", ns=(stamp, stamp))
    assert load_k(folder) == 2


def test_byte_code_that_python_wrote_before_the_edit_is_not_used(folder):
    helper = folder / "_h.py"
    py_compile.compile(str(helper))
    stamp = os.stat(helper).st_mtime_ns
    helper.write_text("K = 2\n")
    os.utime(helper, ns=(stamp, stamp))
    assert load_k(folder) == 2


def test_old_tools_keep_the_old_code(folder):
    old = load_sources(source(folder))
    (folder / "_h.py").write_text("K = 2\n")
    new = load_sources(source(folder))
    assert (old.call("k"), new.call("k")) == (1, 2)


def test_byte_code_is_kept_and_used(folder):
    helper = folder / "_h.py"
    assert load_k(folder) == 1
    stored = cached(helper).read_bytes()
    # The same header before other code: only byte code that is really used gives 5.
    cached(helper).write_bytes(stored[:16] + marshal.dumps(compile("K = 5\n", str(helper), "exec")))
    assert load_k(folder) == 5


def test_python_itself_accepts_the_byte_code(folder):
    helper = folder / "_h.py"
    load_k(folder)
    before = cached(helper).stat().st_mtime_ns
    spec = importlib.util.spec_from_file_location("pegboard_test_helper", helper)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.K == 1
    assert cached(helper).stat().st_mtime_ns == before


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 100])
def test_damaged_byte_code_is_replaced(folder, content):
    helper = folder / "_h.py"
    cached(helper).parent.mkdir()
    cached(helper).write_bytes(content)
    assert load_k(folder) == 1
    assert cached(helper).read_bytes()[:4] == importlib.util.MAGIC_NUMBER


def test_byte_code_of_a_moved_folder_names_the_new_place(folder, tmp_path_factory):
    load_k(folder)
    moved = tmp_path_factory.mktemp("moved") / "tools"
    folder.rename(moved)
    loaded = load_sources(source(moved))
    assert loaded.tools["k"].function.__code__.co_filename == str(moved / "t.py")


def test_a_folder_that_cannot_be_written_to_is_no_fault(folder):
    # A file in the place of the cache's folder stops everybody, the superuser too.
    (folder / "__pycache__").write_text("in the way")
    assert load_k(folder) == 1


def test_byte_code_is_not_written_where_python_was_told_not_to(folder, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert load_k(folder) == 1
    assert not (folder / "__pycache__").exists()
