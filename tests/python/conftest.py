"""Owns what the Python tests share: loading folders and texts, and calling what was loaded."""

from __future__ import annotations

import importlib.util
import inspect
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic_core import ValidationError

REPOSITORY = Path(__file__).resolve().parents[2]
if importlib.util.find_spec("pegboard") is None:  # not installed: all but hosts can be tested
    sys.path.insert(0, str(REPOSITORY / "python"))
TOOLS = REPOSITORY / "tests" / "tools"

from pegboard.runtime.bound import BoundTool  # noqa: E402
from pegboard.runtime.load import load  # noqa: E402
from pegboard.runtime.problems import from_validation_error  # noqa: E402


class Loaded:
    """What a load gave."""

    def __init__(self, report: dict[str, Any], tools: list[BoundTool]) -> None:
        self.report = report
        self.bound = tools
        self.tools = {tool.name: tool for tool in tools}
        self.diagnostics: list[dict[str, Any]] = report["diagnostics"]

    @property
    def names(self) -> list[str]:
        return [tool.name for tool in self.bound]

    def codes(self) -> list[str]:
        return [diagnostic["code"] for diagnostic in self.diagnostics]

    def only(self, code: str) -> dict[str, Any]:
        (found,) = [diagnostic for diagnostic in self.diagnostics if diagnostic["code"] == code]
        return found

    def definition(self, name: str) -> dict[str, Any]:
        return self.tools[name].definition

    def schema(self, name: str) -> dict[str, Any]:
        return self.definition(name)["parameters_schema"]

    def call(self, name: str, arguments: str | dict[str, Any] = "{}") -> Any:
        """What the function returns for these arguments, called as the embedded host calls it."""
        tool = self.tools[name]
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
        positional: tuple[Any, ...] = ()
        if tool.validator is None:
            keywords = json.loads(text)
        else:
            positional, keywords = tool.validator.validate_json(text.encode())
        value = tool.function(*positional, **keywords)
        assert not inspect.isawaitable(value)
        return value

    def problems(self, name: str, arguments: str | dict[str, Any]) -> list[tuple[str, str]]:
        """Places and codes of what is wrong with these arguments."""
        with pytest.raises(ValidationError) as raised:
            self.call(name, arguments)
        return [(each["pointer"], each["code"]) for each in json.loads(from_validation_error(raised.value))]


def load_sources(*sources: dict[str, Any], **options: Any) -> Loaded:
    settings = {"compat": "auto", "catch_default": "documented", "import_timeout_seconds": 10.0} | options
    report, tools = load(json.dumps({"sources": list(sources), "options": settings}))
    return Loaded(json.loads(report), tools)


def source(root: Path, *import_roots: Path, **environment: str) -> dict[str, Any]:
    files = sorted(path for path in root.rglob("*.py") if path.name != "__init__.py")
    return {
        "root": str(root),
        "import_roots": [str(folder) for folder in import_roots],
        "files": [str(path) for path in files],
        "environment": list(environment.items()),
    }


def load_folder(name: str, *import_roots: str, **options: Any) -> Loaded:
    """Load a folder of `tests/tools`."""
    return load_sources(source(TOOLS / name, *(TOOLS / folder for folder in import_roots)), **options)


@pytest.fixture
def load_text(tmp_path: Path) -> Callable[..., Loaded]:
    """Loads the text of one tool file, which gets the usual imports in front."""

    def run(text: str, name: str = "given.py", **options: Any) -> Loaded:
        folder = tmp_path / "tools"
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
        return load_sources(source(folder), **options)

    return run
