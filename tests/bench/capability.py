"""Measures what one capability of 40 tools costs with the stand-in and with the real package.

`python tests/bench/capability.py` with a Python that has pegboard's test extra. It makes an environment with
the real package in a temporary folder, runs both in turns from process start to all schemas, and prints
medians and their ratios.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pydantic

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from conformance import environment  # noqa: E402
from conformance.dreadnode.test_real_packages import PACKAGES  # noqa: E402

ROUNDS = 7
TOOLS = 40
TARGETS = {"seconds": 0.25, "megabytes": 0.5}

STAND_IN = """
import json, sys
from pathlib import Path
from pegboard.runtime.load import load
file = Path(sys.argv[1])
source = {"root": str(file.parent), "import_roots": [], "files": [str(file)], "environment": []}
options = {"compat": "builtin", "catch_default": "documented", "import_timeout_seconds": 10.0}
report, tools = load(json.dumps({"sources": [source], "options": options}))
assert len(json.loads(report)["tools"]) == int(sys.argv[2]), report
"""

REAL = """
import importlib.util, json, sys
from dreadnode.agents.tools import Tool
spec = importlib.util.spec_from_file_location("capability", sys.argv[1])
module = importlib.util.module_from_spec(spec)
sys.modules["capability"] = module
spec.loader.exec_module(module)
found = [value for value in vars(module).values() if isinstance(value, Tool)]
assert len([json.dumps(tool.parameters_schema) for tool in found]) == int(sys.argv[2])
"""


HEADER = """
import typing as t
from pydantic import BaseModel
from dreadnode.agents.tools import tool
"""

FOUR_TOOLS = '''

class QueryNUMBER(BaseModel):
    text: str
    limit: int = 10


@tool
def lookup_NUMBER(indicator: t.Annotated[str, "What to look up"]) -> dict[str, str]:
    """Look one up."""
    return {"indicator": indicator}


@tool
async def fetch_NUMBER(url: str, retries: int = 3, mode: t.Literal["fast", "deep"] = "fast") -> str:
    """Fetch one."""
    return url


@tool(catch=True)
def search_NUMBER(query: QueryNUMBER, tags: list[str] | None = None) -> list[str]:
    """Search for many."""
    return []


@tool(truncate=4000)
def list_NUMBER(path: str, depth: int = 1) -> str:
    """List a folder."""
    return path
'''


def write_tools(folder: Path) -> Path:
    """Write a file with tools of several kinds, as capabilities hold them."""
    file = folder / "tools.py"
    parts = [HEADER, *(FOUR_TOOLS.replace("NUMBER", str(number)) for number in range(TOOLS // 4))]
    file.write_text("".join(parts), encoding="utf-8")
    return file


def measure(python: str, code: str, file: Path, variables: dict[str, str]) -> tuple[float, float]:
    """Return seconds from start to end and peak megabytes of one process."""
    started = time.perf_counter()
    process = subprocess.Popen([python, "-c", code, str(file), str(TOOLS)], env=variables)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    if status != 0:
        raise SystemExit(f"{python} ended with {os.waitstatus_to_exitcode(status)}")
    return seconds, usage.ru_maxrss / 1024


def main() -> None:
    """Run both in turns and print the ratios."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = write_tools(folder)
        package, others = PACKAGES["dreadnode"]
        packages = [f"pydantic=={pydantic.VERSION}", *others.split()]
        real, variables = environment.make(folder, ["--no-deps", package], packages)
        ours = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        ours["PYTHONPATH"] = str(ROOT / "python")
        variables.pop("PYTHONDONTWRITEBYTECODE", None)
        runs: dict[str, list[tuple[float, float]]] = {"stand-in": [], "real": []}
        for _ in range(ROUNDS + 1):
            runs["stand-in"].append(measure(sys.executable, STAND_IN, file, ours))
            runs["real"].append(measure(str(real), REAL, file, variables))
    for index, (unit, target) in enumerate(TARGETS.items()):
        # The first round fills the bytecode caches.
        medians = {
            kind: statistics.median(run[index] for run in of_kind[1:]) for kind, of_kind in runs.items()
        }
        ratio = medians["stand-in"] / medians["real"]
        verdict = "reached" if ratio <= target else "missed"
        print(
            f"{unit}: stand-in {medians['stand-in']:.2f}, real package {medians['real']:.2f}, "
            f"ratio {ratio:.2f}, target {target}: {verdict}"
        )


if __name__ == "__main__":
    main()
