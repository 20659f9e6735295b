"""Measures loading 100 files of 5 tools against importing them plainly and describing them with pydantic.

`python tests/bench/load.py` with a Python that has pegboard. Both run in turns, each from process start to
all JSON schemas, with bytecode cached. It prints medians of processor and wall time, their ratio, target
and verdict.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 9
FILES = 100
TARGET = 1.0

OURS = """
import sys
from pegboard import Host
host = Host(sys.argv[1])
schemas = [tool.parameters_schema for tool in host.tools]
assert len(schemas) == int(sys.argv[2]), len(schemas)
"""

PLAIN = """
import importlib.util, inspect, json, sys
from pathlib import Path
from pydantic import TypeAdapter
schemas = []
for file in sorted(Path(sys.argv[1]).glob("*.py")):
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    for function in vars(module).values():
        if inspect.isfunction(function) and function.__module__ == file.stem:
            schemas.append(json.dumps(TypeAdapter(function).json_schema()))
assert len(schemas) == int(sys.argv[2]), len(schemas)
"""

FIVE_TOOLS = '''"""Tools of one kind."""
from typing import Annotated, Literal, Optional
IMPORT

DECORATOR
def scan_NUMBER(host: Annotated[str, "Name or address"], port: int, timeout: float = 2.0) -> dict[str, str]:
    """Check whether a port answers."""
    return {"host": host, "port": str(port)}

DECORATOR
def find_NUMBER(query: str, kind: Literal["ip", "domain", "hash"] = "ip", limit: int = 10) -> list[str]:
    """Search the records.

    Args:
        query: What to search for
        kind: Which kind of record
        limit: At most this many
    """
    return [query] * limit

DECORATOR
async def fetch_NUMBER(url: Annotated[str, "Address"], headers: Optional[dict[str, str]] = None) -> str:
    """Fetch a page."""
    return url

DECORATOR
def store_NUMBER(title: str, tags: list[str], body: str = "", pinned: bool = False) -> bool:
    """Store a note."""
    return pinned

DECORATOR
def rate_NUMBER(scores: dict[str, float], weights: Optional[list[float]] = None, top: int = 3) -> float:
    """Rate something."""
    return 0.0
'''


def write_files(folder: Path, imports: str, decorator: str) -> Path:
    """Write the files, as tool files or as plain ones."""
    folder.mkdir()
    text = FIVE_TOOLS.replace("IMPORT", imports).replace("DECORATOR\n", f"{decorator}\n" if decorator else "")
    for number in range(FILES):
        (folder / f"file_{number:03}.py").write_text(text.replace("NUMBER", f"{number:03}"), encoding="utf-8")
    return folder


def measure(code: str, folder: Path) -> tuple[float, float]:
    """Return wall and processor seconds of one process."""
    hides = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
    variables = {name: value for name, value in os.environ.items() if name not in hides}
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-c", code, str(folder), str(5 * FILES)], env=variables)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    if status != 0:
        raise SystemExit(f"a run ended with {os.waitstatus_to_exitcode(status)}")
    return wall, usage.ru_utime + usage.ru_stime


def main() -> None:
    """Run both in turns and print the ratios."""
    with tempfile.TemporaryDirectory() as name:
        ours = write_files(Path(name) / "tools", "from pegboard import tool", "@tool")
        plain = write_files(Path(name) / "plain", "", "")
        # The first round fills the bytecode caches.
        rounds = [(measure(PLAIN, plain), measure(OURS, ours)) for _ in range(ROUNDS + 1)][1:]
    for index, unit in enumerate(("wall time", "processor time")):
        ratio = statistics.median(ours[index] / plain[index] for plain, ours in rounds)
        seconds = [statistics.median(side[index] for side in sides) for sides in zip(*rounds, strict=True)]
        verdict = "reached" if ratio <= TARGET else "missed"
        print(
            f"loading {5 * FILES} tools, {unit}: {seconds[1]:.3f} s, {ratio:.2f} times plain import and"
            f" TypeAdapter ({seconds[0]:.3f} s)  target {TARGET:.2f}: {verdict}"
        )


if __name__ == "__main__":
    main()
