"""Owns one load: from the host's request to described tools and findings.

Nothing that is wrong with a file, a class or a tool may end the load.
"""

from __future__ import annotations

import gc
import json
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from pegboard.compat import finder
from pegboard.dialects import Options, dialects

from .bound import BoundTool
from .collect import Found, collect
from .exceptions import summary
from .findings import Finding, error
from .importing import import_files
from .source import Source, imported_files
from .variables import set_for_load
from .watch import is_watched

__all__ = ["load", "modules"]


def load(request: str) -> tuple[bytes, list[BoundTool]]:
    """Import, collect and describe the files of a request.

    `request` is the host's load request as JSON. Returns the report as UTF-8 JSON, with `tools` (definition
    and policy of each) and `diagnostics`, and the tools in the same order. Names may repeat.
    """
    asked = json.loads(request)
    settings = asked.get("options", {})
    options = Options(settings.get("compat", "auto"), settings.get("catch_default", "documented"))
    limit = float(settings.get("import_timeout_seconds", 10.0))
    allow_install = bool(settings.get("allow_install", False))
    finder.install(options.compat)
    tools: list[BoundTool] = []
    findings: list[Finding] = []
    modules: list[str] = []
    # Everything that a load makes lives on; looking for garbage meanwhile is lost time.
    with _turn():
        collecting = gc.isenabled()
        gc.disable()
        try:
            for source in asked["sources"]:
                made, imported = _load_source(source, options, limit, allow_install)
                modules += imported
                tools += [each for each in made if isinstance(each, BoundTool)]
                findings += [each for each in made if isinstance(each, Finding)]
        finally:
            if collecting:
                gc.enable()
    report = {
        "tools": [{"definition": tool.definition, "policy": tool.policy} for tool in tools],
        "diagnostics": [finding.as_dict() for finding in findings],
        "modules": modules,
    }
    return json.dumps(report, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "backslashreplace"
    ), tools


def modules(request: str) -> bytes:
    """The files of the modules that the sources of each root have imported by now, many on first use.

    `request` is a list of roots as JSON; returns a list of files for each, as UTF-8 JSON.
    """
    files = [imported_files(root) for root in json.loads(request)]
    return json.dumps(files, ensure_ascii=False).encode("utf-8", "backslashreplace")


_loading = threading.Lock()


def _turn() -> AbstractContextManager[object]:
    """One load at a time: what a file changes in the process while it is imported is told by its state.

    A file that loads tools itself while it is imported has its turn already.
    """
    return nullcontext() if is_watched() else _loading


def _load_source(
    asked: dict[str, Any], options: Options, limit: float, allow_install: bool
) -> tuple[list[BoundTool | Finding], list[str]]:
    source = Source(asked["root"], asked.get("import_roots", ()), asked["files"])
    made: list[BoundTool | Finding] = []
    with set_for_load(source, asked.get("environment", ())):
        imports = import_files(source, limit, allow_install=allow_install)
        for entry in collect(source, imports, dialects(), limit):
            if isinstance(entry, Finding):
                made.append(entry)
            else:
                made += _describe(entry, options)
    modules = source.module_files()
    source.live_with([each for each in made if isinstance(each, BoundTool)])
    return made, modules


def _describe(found: Found, options: Options) -> Iterator[BoundTool | Finding]:
    if found.dialect is None:
        return
    try:
        yield from found.dialect.describe(found, options)
    except Exception as failure:
        yield error(
            "signature_rejected",
            f"{found.variable!r} cannot be described: {summary(failure)}",
            path=found.file,
            line=found.line,
            tools=[found.variable],
        )
