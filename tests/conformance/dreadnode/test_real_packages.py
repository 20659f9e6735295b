"""Describes and calls the tools of the real packages; slow, because it installs them (`pytest -m slow`).

What a real package makes of a case is either what was recorded or what pegboard answers without it.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pydantic
import pytest

from .. import environment
from ..verdicts import Difference, patched, read_differences
from .records import HERE, read, recorded_answer, schema_answer

PACKAGES = {
    "dreadnode": ("dreadnode==2.0.52", "jsonref loguru logfire pydantic-xml pyyaml"),
    "rigging": (
        "rigging==3.3.5",
        "colorama httpx importlib-metadata jinja2 jsonpath-ng jsonref loguru pydantic-xml requests "
        "ruamel.yaml xmltodict",
    ),
}
"""Each package, and the smallest set of others with which its tools can be imported."""


OWN_WORDS = {"calls_dreadnode/383": "<error type=\"TypeError\">Missing required dependency: 'task'</error>"}
"""Calls whose failure the real package words itself, when it is asked to resolve its own marker."""


@pytest.mark.slow
@pytest.mark.parametrize("framework", PACKAGES)
def test_the_objects_of_a_real_package_work(framework: str, tmp_path: Path) -> None:
    answers = real_answers(framework, tmp_path)
    schema = {key: schema_answer(record) for key, record in read(f"schema_{framework}").items()}
    calls = {key: recorded_answer(record) for key, record in read(f"calls_{framework}").items()}
    assert answers.keys() == schema.keys() | calls.keys()
    wrong = {
        key: answers[key]
        for records, name in ((schema, "schema"), (calls, "calls"))
        for key, recorded in records.items()
        if answers[key] not in accepted(key, recorded, read_differences(HERE / f"differences_{name}.json"))
    }
    assert wrong == {}


def real_answers(framework: str, folder: Path) -> dict[str, Any]:
    package, others = PACKAGES[framework]
    python, variables = environment.make(
        folder, ["--no-deps", package], [f"pydantic=={pydantic.VERSION}", *others.split()]
    )
    done = subprocess.run(
        [str(python), "-m", "conformance.dreadnode.real_answers", framework],
        env=variables,
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    answers: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answers


def accepted(key: str, recorded: dict[str, Any], differences: list[Difference]) -> list[dict[str, Any]]:
    """What the package was recorded to make of a case, and what pegboard makes of it; names stay its own."""
    ours = recorded
    for difference in differences:
        if key in difference.records:
            ours = patched(ours, difference.records[key])
    own = [{**ours, "text": OWN_WORDS[key]}] if key in OWN_WORDS else []
    return [recorded, ours, {**ours, "name": recorded.get("name")}, *own]
