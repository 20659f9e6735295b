"""Tool files that install packages while they are imported."""

from __future__ import annotations

import os
import subprocess

import pytest

from pegboard.runtime.installers import install_in

LINE = 7
HEAD = """import asyncio, os, subprocess, sys
from pegboard import tool
@tool
def good() -> str:
    return done
try:
    done = str({start})
except OSError as error:
    done = f"{{type(error).__name__}}: {{error}}"
"""
# None of these would do anything but print a version or a help text if they did run.
LIST = "[sys.executable, '-m', 'pip', 'install', '--help']"
STARTS = {
    "subprocess": f"subprocess.check_call({LIST})",
    "a shell": "subprocess.run('cd . && pip3 install --help', shell=True)",
    "os.system": "os.system('pip install --help')",
    "asyncio": f"asyncio.run(asyncio.create_subprocess_exec(*{LIST}))",
    "pip itself": "__import__('pip').main(['install', '--help'])",
}


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_an_install_is_not_run_and_said(load_text, start: str) -> None:
    popen, system = subprocess.Popen.__init__, os.system
    loaded = load_text(HEAD.format(start=start))
    finding = loaded.only("install_at_import")
    assert (finding["severity"], finding["line"]) == ("warning", LINE)
    assert "pip" in finding["message"]
    assert "install --help" in finding["message"]
    assert loaded.call("good").startswith(("PermissionError", "256", "1"))
    assert (subprocess.Popen.__init__, os.system) == (popen, system)


def test_an_install_that_is_allowed_runs_and_is_said(load_text) -> None:
    start = f"subprocess.run({LIST}, capture_output=True).returncode"
    loaded = load_text(HEAD.format(start=start), allow_install=True)
    assert loaded.only("install_at_import")["severity"] == "info"
    assert loaded.call("good") == "0"


def test_other_commands_run(load_text) -> None:
    loaded = load_text(HEAD.format(start="subprocess.check_output(['echo', 'pip', 'list'], text=True)"))
    assert loaded.call("good") == "pip list\n"
    assert loaded.codes() == []


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (["pip", "install", "x"], "pip install x"),
        (["/v/bin/python", "-m", "pip", "-q", "install", "x>=2"], "pip -q install x>=2"),
        ("python -m pip install 'a b'", "pip install a b"),
        (b"true && uv pip install x", "pip install x"),
        (["sh", "-c", "cd x; pip3.11 install -r r.txt"], "pip3.11 install -r r.txt"),
        (["uv", "add", "x"], "uv add x"),
        ("conda install -y x", "conda install -y x"),
        (["pip", "--version"], None),
        (["pip", "list"], None),
        (["grep", "-r", "pip install"], None),
        ("pip", None),
        ("echo 'open", None),
        (object(), None),
    ],
)
def test_commands_that_install(command: object, expected: str | None) -> None:
    assert install_in(command) == expected
