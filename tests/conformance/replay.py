"""Replays recorded runs: the calls of each turn go through one run of a host, until something ends it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from pegboard import Host, Outcome, PendingCall, UnknownToolError


def replay(host: Host, record: dict[str, Any]) -> dict[str, Any]:
    """What the calls of a record come to, in the order in which a model gets the answers, and what ended the
    run before the model was asked again.
    """
    results: list[dict[str, Any]] = []
    ended = None
    with host.run() as run:
        for turn in record["turns"]:
            calls = [
                (call["tool"], call["arguments"], f"c{number}")
                for number, call in enumerate(turn, start=len(results) + 1)
            ]
            items = run.call_all(calls)
            results += [{"call": call[2], **_shown(item)} for call, item in zip(calls, items, strict=True)]
            ended = _end(items, run.stopped_by)
            if ended is not None:
                break
    return {"results": results, "ended": ended}


def recorded(record: dict[str, Any]) -> dict[str, Any]:
    return {name: record[name] for name in ("results", "ended", "log") if name in record}


def log(folder: Path, record: dict[str, Any]) -> dict[str, list[str]]:
    """What the file's tools have written into its `LOG`, where the record says it too.

    A record of tools that run on threads says no more than what began and ended.
    """
    if "log" not in record:
        return {}
    file = str(folder / record["file"])
    (module,) = [each for each in list(sys.modules.values()) if getattr(each, "__file__", None) == file]
    lines: list[str] = module.LOG
    return {"log": lines if " " in record["log"][0] else [line.partition(" ")[0] for line in lines]}


def _shown(item: Outcome | PendingCall | BaseException) -> dict[str, Any]:
    if isinstance(item, PendingCall):
        return {"pending": json.loads(item.arguments)}
    if isinstance(item, BaseException):
        return {"raised": type(item).__name__}
    shown: dict[str, Any] = {"text": item.text}
    if item.failure is not None:
        shown["failed"] = True
    if item.stop:
        shown["stop"] = True
    return shown


def _end(items: list[Outcome | PendingCall | BaseException], stopped_by: str | None) -> str | None:
    # A name that no tool has is the model's mistake, and an application tells it so.
    if any(isinstance(item, BaseException) and not isinstance(item, UnknownToolError) for item in items):
        return "exception"
    if stopped_by is not None:
        return "stop"
    return "waits for the client" if any(isinstance(item, PendingCall) for item in items) else None
