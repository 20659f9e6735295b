"""Every shared case also loads when it is written for pegboard itself: only its import line is changed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from pegboard.runtime.load import load

from . import cases
from .records import HERE

NAMES = sorted(path.stem for path in (HERE / "cases" / "schema").glob("s*.py"))
LEFT_OUT = {
    "s089_custom_class": "signature_rejected",
    "s093_protocol_param": "signature_rejected",
    "s215_staticmethod_inside": "decorator_misplaced",
    "s214_lambda": "name_invalid",
    "s217_tool_over_classmethod": "decorator_misplaced",
    "s218_tool_on_method": "decorator_misplaced",
    "s230_self_type": "decorator_misplaced",
    "s245_name_only_underscores": "no_tools",
}
"""Cases whose tool cannot be offered by any host, with the code of the finding that says why."""


@pytest.mark.parametrize("name", NAMES)
def test_a_twin_loads(name: str, tmp_path: Path) -> None:
    if name == "s130_pep695_syntax" and sys.version_info < (3, 12):
        assert loaded(name, tmp_path)["diagnostics"][0]["code"] == "syntax_error"
        return
    report = loaded(name, tmp_path)
    if name in LEFT_OUT:
        assert [found["code"] for found in report["diagnostics"]] == [LEFT_OUT[name]]
        assert report["tools"] == []
        return
    assert [found["code"] for found in report["diagnostics"] if found["severity"] == "error"] == []
    (tool,) = report["tools"]
    assert tool["definition"]["source"]["dialect"] == "pegboard"
    assert tool["definition"]["parameters_schema"]["type"] == "object"


def loaded(name: str, folder: Path) -> dict[str, Any]:
    _, text = cases.source("schema", name, "pegboard")
    file = folder / "twin.py"
    file.write_text(text, encoding="utf-8")
    request = {
        "sources": [{"root": str(folder), "import_roots": [], "files": [str(file)], "environment": []}],
        "options": {"compat": "auto", "catch_default": "documented", "import_timeout_seconds": 10.0},
    }
    report, _ = load(json.dumps(request))
    made: dict[str, Any] = json.loads(report)
    return made
