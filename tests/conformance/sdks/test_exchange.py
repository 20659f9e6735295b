"""Holds exports, calls and results to the providers' own packages.

Slow, because it installs them (`pytest -m slow`).
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pydantic
import pytest

from .. import environment

PACKAGES = [
    "openai==3.57.0",
    "anthropic==2.14.0",
    "google-genai==3.6.1",
    "botocore==1.44.8",
    "mcp==2.3.0",
    f"pydantic=={pydantic.VERSION}",
]
TOOLS = Path(__file__).parents[2] / "tools"
FOLDERS = [TOOLS / "answers", TOOLS / "exported", Path(__file__).parents[3] / "examples" / "intel"]


@pytest.mark.slow
def test_the_packages_of_the_providers_take_what_pegboard_sends(tmp_path: Path) -> None:
    python, variables = environment.make(tmp_path, PACKAGES)
    script = Path(__file__).parent / "exchange.py"
    ran = subprocess.run(
        [python, script, *FOLDERS], env=variables, capture_output=True, text=True, timeout=300
    )
    assert ran.returncode == 0, ran.stderr
    told = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [value for name, value in told if name == "tools"] == [5, 17, 4]
    calls = [value for _, value in told if isinstance(value, list)]
    assert calls == [["c1", "5"]] * 9
    reports = [value for name, value in told if name.endswith("bedrock")]
    assert reports == [""] * (4 + 2 * len(FOLDERS))
    assert ["encoded once", True] in told
