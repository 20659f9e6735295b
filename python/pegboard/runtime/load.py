"""Owns one load: from the host's request to described tools and findings.

Nothing that is wrong with a file, a class or a tool may end the load.
"""

from __future__ import annotations

import gc
import json
import os
from collections.abc import Iterator
from typing import Any

from pegboard.compat import finder
from pegboard.dialects import Options, dialects

from .bound import BoundTool
from .collect import Found, collect
from .exceptions import summary
from .findings import Finding, error
from .importing import import_files
from .source import Source

__all__ = ["load"]


def load(request: str) -> tuple[bytes, list[BoundTool]]:
    """Import, collect and describe the files of a request.

    `request` is the host's load request as JSON. Returns the report as UTF-8 JSON, with `tools` (definition
    and policy of each) and `diagnostics`, and the tools in the same order. Names may repeat.
    """
    asked = json.loads(request)
    settings = asked.get("options", {})
    options = Options(settings.get("compat", "auto"), settings.get("catch_default", "documented"))
    limit = float(settings.get("import_timeout_seconds", 10.0))
    finder.install(options.compat)
    tools: list[BoundTool] = []
    findings: list[Finding] = []
    # Everything that a load makes lives on; looking for garbage meanwhile is lost time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        for source in asked["sources"]:
            made = _load_source(source, options, limit)
            tools += [each for each in made if isinstance(each, BoundTool)]
            findings += [each for each in made if isinstance(each, Finding)]
    finally:
        if collecting:
            gc.enable()
    report = {
        "tools": [{"definition": tool.definition, "policy": tool.policy} for tool in tools],
        "diagnostics": [finding.as_dict() for finding in findings],
    }
    return json.dumps(report, ensure_ascii=False, separators=(",", ":")).encode(
        "utf-8", "backslashreplace"
    ), tools


def _load_source(asked: dict[str, Any], options: Options, limit: float) -> list[BoundTool | Finding]:
    os.environ.update((name, value) for name, value in asked.get("environment", ()))
    source = Source(asked["root"], asked.get("import_roots", ()), asked["files"])
    imports = import_files(source, limit)
    made: list[BoundTool | Finding] = []
    for entry in collect(source, imports, dialects(), limit):
        if isinstance(entry, Finding):
            made.append(entry)
        else:
            made += _describe(entry, options)
    source.live_with([each for each in made if isinstance(each, BoundTool)])
    return made


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
