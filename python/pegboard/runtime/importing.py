"""Owns the import of a source's tool files: each as a private module, contained, under a time limit.

A file that fails costs itself: it leaves no module behind, and what it did to the process is taken back.
"""

from __future__ import annotations

import functools
import importlib
import sys
from dataclasses import dataclass, field
from types import ModuleType

from . import finder
from .faults import import_failure, import_timed_out
from .findings import Finding
from .installers import InstallGuard
from .limited import Overdue, TimedOut, run_each
from .source import Source
from .watch import Watch, asked_before_installs, signals_kept, watching

__all__ = ["Imported", "import_files"]


@dataclass(slots=True, eq=False)
class Imported:
    """What became of one tool file."""

    path: str
    module: ModuleType | None
    """`None` if the import failed; then a finding says why."""
    findings: list[Finding] = field(default_factory=list)


def import_files(source: Source, limit_seconds: float, *, allow_install: bool = False) -> list[Imported]:
    """Import every tool file of `source`; the results stand in the order of the files.

    `allow_install` says whether a file may install packages meanwhile.
    """
    finder.install()
    importlib.invalidate_caches()
    with signals_kept(), InstallGuard(asked_before_installs) as guard:
        source.after_import = guard.extend
        jobs = [
            functools.partial(_import, source, name, path, allow_install)
            for name, path in source.files.items()
        ]
        before = Watch(source, source.root)
        results = run_each(jobs, limit_seconds)
    source.loading = False
    source.after_import = None
    imports = [
        _late(path, limit_seconds, result) if isinstance(result, TimedOut) else result
        for path, result in zip(source.files.values(), results, strict=True)
    ]
    # A file that goes on running did not take back what it changed.
    for imported, result in zip(imports, results, strict=True):
        if isinstance(result, TimedOut):
            imported.findings += before.settle_for(imported.path)
    return imports


def _late(path: str, limit_seconds: float, result: TimedOut) -> Imported:
    return Imported(path, None, [import_timed_out(path, limit_seconds, result.stack)])


def _import(source: Source, name: str, path: str, allow_install: bool) -> Imported:
    with watching(Watch(source, path, allow_install=allow_install)) as watch:
        module: ModuleType | None = None
        failure: BaseException | None = None
        try:
            module = importlib.import_module(name)
        except Overdue:
            raise
        except BaseException as raised:
            failure = raised
            sys.modules.pop(name, None)
        findings = list(watch.settle())
    if failure is not None:
        findings.append(import_failure(failure, path, source))
        _forget_frames(failure)
    return Imported(path, module, findings)


def _forget_frames(failure: BaseException) -> None:
    """Let go of what the failed module held: its frames keep every object of it alive."""
    failure.__traceback__ = None
