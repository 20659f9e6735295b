"""Measures what one capability of 40 tools costs with the stand-in and with the real package.

`python tests/bench/capability.py` makes environments in a temporary folder: one with the real package and all
that it needs, one with pydantic alone. In turns, from process start to all schemas, it runs the file with the
real package, with the stand-in, and with pydantic alone and no framework, which is the floor: what the file's
own models and signatures cost before anybody hosts them. It prints medians and their ratios.
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
PACKAGE = "dreadnode==2.0.52"

ROUNDS = 9
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

FLOOR = """
import inspect, json, sys
from pathlib import Path
from pydantic.experimental.arguments_schema import generate_arguments_schema
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import SchemaValidator
source = Path(sys.argv[1]).read_text().replace(
    "from dreadnode.agents.tools import tool", "def tool(f=None, **options): return f or (lambda f: f)"
)
namespace = {"__name__": "__main__"}
exec(compile(source, sys.argv[1], "exec"), namespace)
functions = [f for name, f in namespace.items() if inspect.isfunction(f) and name != "tool"]
assert len(functions) == int(sys.argv[2])
for function in functions:
    schema = generate_arguments_schema(function, "arguments")
    SchemaValidator(schema)
    json.dumps(GenerateJsonSchema().generate(schema))
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


def make(folder: Path, *packages: str) -> str:
    """Make an environment with the packages, and return its Python."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = str(folder / "bin" / "python")
    # pip finds no versions of the real package's requirements that agree; uv does.
    subprocess.run([python, "-m", "pip", "install", "--quiet", "uv"], check=True)
    install = [python, "-m", "uv", "pip", "install", "--quiet", "--compile-bytecode", "--python", python]
    subprocess.run([*install, *packages], check=True)
    return python


def measure(python: str, code: str, file: Path) -> tuple[float, float]:
    """Return seconds from start to end and peak megabytes of one process."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    if code == STAND_IN:
        variables["PYTHONPATH"] = str(ROOT / "python")
    started = time.perf_counter()
    process = subprocess.Popen([python, "-c", code, str(file), str(TOOLS)], env=variables)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    if status != 0:
        raise SystemExit(f"{python} ended with {os.waitstatus_to_exitcode(status)}")
    return seconds, usage.ru_maxrss / 1024


def main() -> None:
    """Run all three in turns and print the ratios."""
    pinned = f"pydantic=={pydantic.VERSION}"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = write_tools(folder)
        alone, real = make(folder / "alone", pinned), make(folder / "real", PACKAGE, pinned)
        kinds = {
            "real package": (real, REAL),
            "stand-in": (alone, STAND_IN),
            "pydantic alone": (alone, FLOOR),
        }
        runs: dict[str, list[tuple[float, float]]] = {kind: [] for kind in kinds}
        for _ in range(ROUNDS + 1):
            for kind, (python, code) in kinds.items():
                runs[kind].append(measure(python, code, file))
    for index, (unit, target) in enumerate(TARGETS.items()):
        # The first round fills the bytecode caches.
        medians = {
            kind: statistics.median(run[index] for run in of_kind[1:]) for kind, of_kind in runs.items()
        }
        for kind in ("stand-in", "pydantic alone"):
            ratio = medians[kind] / medians["real package"]
            verdict = "" if kind != "stand-in" else ": reached" if ratio <= target else ": missed"
            print(
                f"{unit}: {kind} {medians[kind]:.2f}, real package {medians['real package']:.2f}, "
                f"ratio {ratio:.2f}, target {target}{verdict}"
            )


if __name__ == "__main__":
    main()
