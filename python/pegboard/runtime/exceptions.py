"""Owns what is said of an exception: its verdict under the tool's policy, and the failure.

Nothing that an exception object does may escape from here: its `__str__`, its cause or its notes can be
broken. Must not shape text for a dialect; the host does.
"""

from __future__ import annotations

import json
import signal
import threading
import traceback
from collections.abc import Iterator
from opcode import opmap
from typing import TYPE_CHECKING, Any, Literal

from . import locate
from .interrupt import Interrupted
from .source import without_private_names
from .variables import ROOT_HINT, ROOT_VARIABLE

if TYPE_CHECKING:
    from .bound import BoundTool

__all__ = ["OWN_FILES", "failure", "report", "report_render_failure", "summary", "text_of", "type_name"]

_CHAIN = 10
_LEAVES = 10
_FRAMES = 50
# The instructions by which code raises of its own accord.
_RAISING = {opmap["RAISE_VARARGS"], opmap["RERAISE"]}
# How the names of pegboard's own files start, on disk or embedded.
OWN_FILES = __file__.removesuffix("runtime/exceptions.py").removesuffix("runtime\\exceptions.py")

Verdict = Literal["failed", "aborted", "stopped"]


def report(error: BaseException, bound: BoundTool) -> bytes:
    """What `error`, raised by the tool, means for the call: JSON with `verdict`, `stop_text` and `failure`.

    What is no `Exception` (`SystemExit`, `KeyboardInterrupt`) is always a failure: nothing that a tool does
    ends the host. Ctrl-C is no tool's doing, and reaches whoever called.
    """
    try:
        return _report(error, bound)
    except BaseException as broken:  # whatever belongs to an exception may be the tool's own code
        return _json({"verdict": "failed", "stop_text": None, "failure": _unshown(error, broken)})


def _report(error: BaseException, bound: BoundTool) -> bytes:
    error = _representative(error)
    verdict: Verdict
    stop_text: str | None = None
    if bound.stop and isinstance(error, bound.stop):
        verdict, stop_text = "stopped", text_of(error)
        if bound.stop_tag is not None:
            stop_text = f"<{bound.stop_tag}>{stop_text}</{bound.stop_tag}>"
    elif _is_ctrl_c(error):
        verdict = "aborted"
    elif not isinstance(error, Exception) or _exit_in(error) is not None or _caught(error, bound.catch):
        verdict = "failed"
    else:
        verdict = "aborted"
    return _json({"verdict": verdict, "stop_text": stop_text, "failure": failure(error)})


def report_render_failure(error: BaseException, value: object, bound: BoundTool) -> bytes:
    """The failure of a tool that ran, but whose value cannot be written: JSON of the failure."""
    fault = locate.find_fault(value)
    hint = None
    if isinstance(error, locate.UnwritableError):
        where = str(error)
    elif fault is None:
        where = (
            f"its value of type {locate.full_name(type(value))} cannot be written as JSON: {summary(error)}"
        )
    else:
        where = f"its value cannot be written as JSON: {fault.path} {fault.reason}"
        hint = fault.hint
    made = failure(error)
    made |= {
        "kind": "not_serializable",
        "exception_type": None,
        "message": f"the tool ran, but {where}",
        "cause_chain": [],
        "exit_code": None,
        "hint": hint,
    }
    return _json(made)


def failure(error: BaseException) -> dict[str, Any]:
    """`error` in the shape of the host's failure."""
    leaving = _exit_in(error)
    if leaving is not None:
        status, said = _exit_status(leaving)
        message = f"the tool tried to leave the process with status {status}"
        return _failure("exited", leaving, f"{message}: {said}" if said else message, exit_code=status)
    if isinstance(error, BaseExceptionGroup):
        leaves = list(_leaves(error))
        lines = [summary(leaf) for leaf in leaves[:_LEAVES]]
        if len(leaves) > _LEAVES:
            lines.append(f"and {len(leaves) - _LEAVES} more")
        return _failure("raised", error, "\n".join(lines))
    return _failure("raised", error, text_of(error) or _unspoken(error))


def _unspoken(error: BaseException) -> str:
    """What is said of an exception without text.

    An ordinary one speaks by its type. The others end a process or a loop, were never meant for a model, and
    not every dialect shows their type.
    """
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return ""
    return f"the tool raised {type_name(error)}"


def text_of(error: BaseException) -> str:
    """The text of an exception with its notes; safe for any exception. Raises what asks the tool to stop."""
    try:
        text = str(error)
        notes = getattr(error, "__notes__", None)
    except Interrupted:
        # It would take as long the next time.
        raise
    except BaseException as broken:
        return f"(its text cannot be shown: {type_name(broken)})"
    if isinstance(notes, list):
        text = "\n".join([text, *(note for note in notes if isinstance(note, str))])
    return without_private_names(text)


def type_name(error: BaseException) -> str:
    """The class of an exception, without its module and as it was made: a metaclass can say anything."""
    name: str = type.__dict__["__name__"].__get__(type(error))
    return name


def summary(error: BaseException) -> str:
    """An exception as `Type: text`."""
    text = text_of(error)
    return f"{type_name(error)}: {text}" if text else type_name(error)


def _unshown(error: BaseException, broken: BaseException) -> dict[str, Any]:
    """The failure of an exception that cannot even be looked at."""
    message = f"the tool raised {type_name(error)}, which cannot be shown: {type_name(broken)}"
    return _bare_failure("raised", error, message)


def _failure(kind: str, error: BaseException, message: str, exit_code: int | None = None) -> dict[str, Any]:
    return _bare_failure(kind, error, message) | {
        "cause_chain": [summary(cause) for cause in _causes(error)],
        "traceback": _traceback(error),
        "exit_code": exit_code,
        "hint": _hint(error),
    }


def _bare_failure(kind: str, error: BaseException, message: str) -> dict[str, Any]:
    """The same without what only the exception itself can tell."""
    return {
        "kind": kind,
        "exception_type": type_name(error),
        "message": message,
        "cause_chain": [],
        "traceback": None,
        "problems": [],
        "exit_code": None,
        "still_running": False,
        "hint": None,
    }


def _representative(error: BaseException) -> BaseException:
    """The one exception that a group stands for, if there is one."""
    if isinstance(error, BaseExceptionGroup):
        leaves = list(_leaves(error))
        if len(leaves) == 1:
            return leaves[0]
    return error


def _is_ctrl_c(error: BaseException) -> bool:
    """Whether a signal raised `error` in the main thread, rather than the code of the tool."""
    if type(error) is not KeyboardInterrupt or threading.current_thread() is not threading.main_thread():
        return False
    handler = getattr(signal.getsignal(signal.SIGINT), "__code__", None)
    entry = error.__traceback__
    while entry is not None:
        code = entry.tb_frame.f_code
        if code is handler:
            return True
        if entry.tb_next is None:
            return code.co_code[entry.tb_lasti] not in _RAISING
        entry = entry.tb_next
    return True


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """The exceptions in nested groups; siblings that were cancelled because of the others are left out."""
    from asyncio import CancelledError

    found: list[BaseException] = []
    pending = [error]
    while pending:
        current = pending.pop(0)
        if isinstance(current, BaseExceptionGroup):
            pending = [*current.exceptions, *pending]
        else:
            found.append(current)
    others = [leaf for leaf in found if not isinstance(leaf, CancelledError)]
    yield from others or found


def _caught(error: BaseException, catch: bool | tuple[type[BaseException], ...]) -> bool:
    if isinstance(catch, bool):
        return catch
    if isinstance(error, BaseExceptionGroup) and not isinstance(error, catch):
        return all(isinstance(leaf, catch) for leaf in _leaves(error))
    return isinstance(error, catch)


def _exit_in(error: BaseException) -> SystemExit | None:
    if isinstance(error, SystemExit):
        return error
    if isinstance(error, BaseExceptionGroup):
        return next((leaf for leaf in _leaves(error) if isinstance(leaf, SystemExit)), None)
    return None


def _exit_status(error: SystemExit) -> tuple[int, str]:
    code = error.code
    if code is None:
        return 0, ""
    if isinstance(code, int):
        return max(-(2**31), min(int(code), 2**31 - 1)), ""
    return 1, text_of(error)


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen = {id(error)}
    current = error
    for _ in range(_CHAIN):
        cause = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
        if cause is None or id(cause) in seen:
            return
        seen.add(id(cause))
        yield cause
        current = cause


def _traceback(error: BaseException) -> str | None:
    try:
        made = traceback.TracebackException(
            type(error), error, error.__traceback__, limit=-_FRAMES, compact=True
        )
        pending = [made]
        while pending:
            part = pending.pop()
            part.stack = traceback.StackSummary.from_list(
                [frame for frame in part.stack if not frame.filename.startswith(OWN_FILES)]
            )
            pending += [inner for inner in (part.__cause__, part.__context__) if inner is not None]
            pending += part.exceptions or ()
        return without_private_names("".join(made.format()))
    except BaseException:
        return None


def _hint(error: BaseException) -> str | None:
    if isinstance(error, KeyError) and error.args == (ROOT_VARIABLE,):
        return ROOT_HINT
    entry = error.__traceback__
    if entry is None:
        return None
    while entry.tb_next is not None:
        entry = entry.tb_next
    code = entry.tb_frame.f_code
    if isinstance(error, EOFError) and "input" in code.co_names:
        return "tools have no terminal, so input() cannot ask for anything: take the value as a parameter"
    if isinstance(error, RuntimeError) and entry.tb_frame.f_globals.get("__name__") in (
        "asyncio.runners",
        "asyncio.base_events",
    ):
        return "this code runs on an event loop already: await the coroutine, or make the tool a plain `def`"
    return None


def _json(value: dict[str, Any]) -> bytes:
    # Half a surrogate pair in a text is no UTF-8; it stays readable as an escape.
    text = json.dumps(value, ensure_ascii=False)
    return text.encode("utf-8", "replace") if _is_text(text) else _json(_readable(value))


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _readable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, list):
        return [_readable(item) for item in value]
    if isinstance(value, dict):
        return {key: _readable(item) for key, item in value.items()}
    return value
