"""Owns calling the tools of a case file through a host, and the form in which an end of a call is compared.

Must not need pytest: it also runs in an environment that has nothing but the real package.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, Literal

from pegboard import AbortedError, Failure, Host, Outcome

from . import cases
from .answers import FRAMEWORKS
from .records import comparable

CALL_ID = "call_/1"
"""Not safe as a file name; a file for long output has to be named otherwise."""
OUTPUT_FILE = "call__1.txt"
RECORDED_FILE = "<CACHE>/tool-output/<STAMP>-call___1.txt"
"""How records name the file that long output went to."""


def host(framework: str, file: str, folder: Path, compat: Literal["auto", "builtin"]) -> Host:
    """A host of one case file, which is written for `framework` and lies in `folder`."""
    _, text = cases.source("calls", file)
    path = folder / f"{file}.py"
    path.write_text(text, encoding="utf-8")
    return Host(path, compat=compat, catch_default=FRAMEWORKS[framework], working_directory=folder)


def given_answer(
    framework: str, record: dict[str, Any], folder: Path, compat: Literal["auto", "builtin"] = "builtin"
) -> dict[str, Any]:
    """What the tool of a record answers. The host is a new one, so that no record sees another's state."""
    name = record["tool"].rpartition(".")[2]
    with host(framework, record["file"], folder, compat) as made:
        answers = [answer(made, name, record["arguments"], result) for result in record["results"]]
    return answers[0] if len(answers) == 1 else {"results": answers}


def answer(made: Host, tool: str, arguments: str, result: dict[str, Any]) -> dict[str, Any]:
    """One call in the form of its recorded answer."""
    try:
        outcome = made.call(tool, arguments, call_id=CALL_ID)
    except AbortedError as error:
        return {"raised": exception(error.failure)}
    except Exception as error:
        return {"raised": type(error).__name__}
    return form(outcome, result)


def form(outcome: Outcome, result: dict[str, Any]) -> dict[str, Any]:
    """An outcome in the form of a recorded answer; long texts are known by their ends and their hash."""
    made: dict[str, Any] = {"text": shown(outcome, result.get("text"))}
    if outcome.stop:
        made["stop"] = True
    if outcome.failure is not None:
        made["failure"] = exception(outcome.failure)
    return made


def exception(failure: Failure) -> str:
    """The class of the exception; of one that never was, the one by which records know the failure."""
    if any(problem.code == "json_invalid" for problem in failure.problems):
        return "JSONDecodeError"
    return failure.exception_type or ("ValidationError" if failure.problems else failure.kind)


def shown(outcome: Outcome, recorded: Any) -> Any:
    text = outcome.text
    if outcome.offload is not None:
        assert outcome.offload.path is not None
        path = str(outcome.offload.path)
        assert path.endswith(f"/.dreadnode/tool-output/{OUTPUT_FILE}"), path
        whole = outcome.offload.path.read_text("utf-8")
        assert outcome.offload.characters == len(whole)
        assert (text[:15_000], text[-15_000:]) == (whole[:15_000], whole[-15_000:])
        text = text.replace(path, RECORDED_FILE)
    if not isinstance(recorded, dict):
        return comparable(text)
    head, tail = text[: len(recorded["head"])], text[-len(recorded["tail"]) :]
    digest = hashlib.sha256(text.encode()).hexdigest()
    return {"len": len(text), "sha256": digest, "head": head, "tail": tail}
