"""Calls the tools of a recorded file through a host."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from pegboard import Host, Outcome

from .cases import CASES

REFUSED = ("invalid_json", "invalid_arguments")


@dataclass(frozen=True)
class Answer:
    """What a model is told, whether the tool ran, and whether it returned a value that could be written."""

    text: str
    executed: bool
    success: bool
    whole: str | None = None
    """The text that went to a file because it was too long."""


class HostCaller:
    """A host of one file of cases, which lies in `folder`; long output goes there too."""

    def __init__(self, file: str, folder: Path) -> None:
        shutil.copy(CASES / "calls" / file, folder)
        self.host = Host(folder / file, working_directory=folder)

    def __enter__(self) -> HostCaller:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.host.close()

    def has(self, tool: str) -> bool:
        """Whether the file offers a tool of this name."""
        return any(offered.name == tool for offered in self.host.tools)

    def call(self, tool: str, arguments: str) -> Answer:
        """The answer to one call."""
        return answer(self.host.call(tool, arguments))


def answer(outcome: Outcome) -> Answer:
    """An outcome in the terms of the records."""
    failure = outcome.failure
    executed = failure is None or failure.kind not in REFUSED
    if outcome.offload is None:
        return Answer(outcome.text, executed, failure is None)
    assert outcome.offload.path is not None
    text = outcome.text.replace(str(outcome.offload.path), "$FILE")
    return Answer(text, executed, failure is None, outcome.offload.path.read_text("utf-8"))
