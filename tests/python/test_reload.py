"""Loading changed files again, from Python."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pegboard import Host

TOOL = "from pegboard import tool\n@tool\ndef say() -> str:\n    return WORD\n"


def write(folder: Path, word: str) -> None:
    (folder / "t.py").write_text(TOOL.replace("WORD", repr(word)), encoding="utf-8")


def test_what_has_changed_is_loaded_again(tmp_path: Path) -> None:
    write(tmp_path, "old")
    with Host(str(tmp_path)) as host:
        assert host.call("say").text == "old"
        write(tmp_path, "new")
        assert host.reload() is True
        assert host.call("say").text == "new"
        (tmp_path / "t.py").write_text("def broken(:\n", encoding="utf-8")
        host.reload()
        assert host.call("say").text == "new"
        assert [(found.code, found.line) for found in host.diagnostics] == [("syntax_error", 1)]
        (tmp_path / "t.py").unlink()
        host.reload()
        assert host.tools == ()


def test_a_watched_folder_is_loaded_again_by_itself(tmp_path: Path) -> None:
    write(tmp_path, "old")
    with Host(str(tmp_path)) as host:
        host.watch()
        write(tmp_path, "new")
        end = time.monotonic() + 60
        while host.call("say").text != "new":
            assert time.monotonic() < end
            time.sleep(0.01)


EXTENSIONS = """
import json
import numpy, orjson
from pydantic import BaseModel
from pegboard import tool

class Row(BaseModel):
    numbers: list[int]

@tool
def total_NAME(row: Row) -> int:
    return int(numpy.array(orjson.loads(json.dumps(row.numbers))).sum()) + ROUND
"""

RELOADS = """
import sys
from pathlib import Path
from pegboard import Host
folder = Path(sys.argv[1])
text = sys.stdin.read()
def write(round):
    for name in "ab":
        (folder / f"{name}.py").write_text(text.replace("NAME", name).replace("ROUND", str(round)))
write(0)
with Host(str(folder)) as host:
    for round in range(1, 11):
        write(round)
        assert host.reload()
        assert [found.message for found in host.diagnostics] == []
        for name in "ab":
            assert host.call(f"total_{name}", {"row": {"numbers": [1, 2]}}).structured == 3 + round
"""


@pytest.mark.slow
def test_extension_modules_survive_reloads(tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    python = environment / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "numpy", "orjson", "pydantic"], check=True)
    import pegboard

    packages = tmp_path / "packages"
    packages.mkdir()
    (packages / "pegboard").symlink_to(Path(pegboard.__file__).parent)
    folder = tmp_path / "tools"
    folder.mkdir()
    done = subprocess.run(
        [python, "-c", RELOADS, folder],
        env={**os.environ, "PYTHONPATH": str(packages)},
        input=EXTENSIONS,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
