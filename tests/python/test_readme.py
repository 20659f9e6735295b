"""Runs what the README shows: Python blocks as they are, commands against their output, files as files."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(?P<language>\w+)(?: (?P<path>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the file that it shows, its text, and where it stands."""

    language: str
    path: str | None
    text: str
    line: int


def read_blocks(text: str) -> Iterator[Block]:
    """Finds the fenced blocks of a Markdown text."""
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield Block(match["language"], match["path"], match["text"], line)


def read_commands(text: str) -> Iterator[tuple[str, str]]:
    """Splits a console block into commands and their outputs."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        while command.endswith("\\"):
            more, _, output = output.partition("\n")
            command = f"{command}\n{more}"
        yield command, output


README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = list(read_blocks(README))
FILES = [block for block in BLOCKS if block.path]
PYTHON = [block for block in BLOCKS if block.language == "python" and not block.path]
COMMANDS = [
    pytest.param(command, output, id=f"line-{block.line}-{number}")
    for block in BLOCKS
    if block.language == "console"
    for number, (command, output) in enumerate(read_commands(block.text))
]


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment of somebody who has activated the one that runs these tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PEGBOARD"))}
    folder = str(Path(sys.executable).parent)
    return kept | {"PATH": f"{folder}{os.pathsep}{kept['PATH']}", "VIRTUAL_ENV": sys.prefix, "NO_COLOR": "1"}


def test_every_fence_is_read() -> None:
    assert len(BLOCKS) * 2 == len(re.findall(r"^```", README, re.MULTILINE))
    assert {block.language for block in BLOCKS} <= {"sh", "console", "python", "rust", "toml"}


@pytest.mark.parametrize("block", FILES, ids=lambda block: block.path)
def test_a_block_that_shows_a_file_is_that_file(block: Block) -> None:
    assert block.path is not None
    assert block.text == (ROOT / block.path).read_text(encoding="utf-8")


@pytest.mark.parametrize("block", PYTHON, ids=lambda block: f"line-{block.line}")
def test_a_python_block_runs(block: Block, environment: dict[str, str]) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", block.text],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize(("command", "output"), COMMANDS)
def test_a_command_answers_as_shown(command: str, output: str, environment: dict[str, str]) -> None:
    ran = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
    )
    assert ran.stdout == output


def test_the_set_up_commands_are_two_and_ci_runs_the_second() -> None:
    """The first is what every reader types; the second is exactly what continuous integration runs."""
    set_up = [block for block in BLOCKS if block.language == "sh"]
    first, second = set_up[0].text.splitlines()
    assert first.split(" && ")[:2] == ["python3 -m venv .venv", ".venv/bin/pip install ."]
    assert second in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_the_first_set_up_command_does_the_main_job(environment: dict[str, str]) -> None:
    """Its last part, in the environment that runs these tests."""
    first = next(block for block in BLOCKS if block.language == "sh").text.splitlines()[0]
    job = first.split(" && ")[-1].replace(".venv/bin", str(Path(sys.executable).parent))
    ran = subprocess.run(job.split(), cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert f"\n{ran.stdout}" in README


def test_a_rust_block_is_an_example_that_the_rust_tests_run() -> None:
    shown = {block.path for block in BLOCKS if block.language == "rust"}
    assert shown == {"examples/embed/src/main.rs", "examples/embed/build.rs"}
