"""Owns saying why a file could not be imported, and where.

Must not import anything itself and must not decide what a failure costs.
"""

from __future__ import annotations

import importlib.util
import sys
import tokenize
from collections.abc import Sequence
from types import TracebackType

from .exceptions import OWN_FILES, summary, type_name
from .findings import Finding, FindingCode, error
from .outline import tool_names
from .source import PREFIX, Source

__all__ = ["import_failure", "import_timed_out"]


def import_failure(failure: BaseException, path: str, source: Source) -> Finding:
    """The finding for what `path` raised when it was imported."""
    text = _text(path)
    if text is None:
        return _unreadable(failure, path)
    names = tool_names(text)
    line = line_in(path, failure)
    if isinstance(failure, SyntaxError) and failure.filename == path:
        return error(
            "syntax_error",
            f"the file is not valid Python: {failure.msg}",
            path=path,
            line=failure.lineno or line,
            tools=names,
        )
    if line is None and "\0" in text:  # the compiler does not say where
        return error(
            "syntax_error",
            "the file is not valid Python: it holds a null character",
            path=path,
            line=text.count("\n", 0, text.index("\0")) + 1,
            tools=names,
        )
    if not isinstance(failure, Exception):
        return error(
            "exited_at_import",
            f"the file left its import by {_exit(failure)}",
            path=path,
            line=line,
            hint='a tool file is imported, not run: keep such code under `if __name__ == "__main__":`',
            tools=names,
        )
    if isinstance(failure, ModuleNotFoundError) and failure.name:
        return _module_missing(failure, failure.name, path, line, names, source)
    return error(
        "import_failed",
        f"the import failed: {source.readable(summary(failure))}{_elsewhere(path, failure)}",
        path=path,
        line=line,
        tools=names,
    )


def import_timed_out(path: str, seconds: float, stack: Sequence[tuple[str, int]]) -> Finding:
    """The finding for a file whose import did not end in time; `stack` says where it was then."""
    return error(
        "import_timed_out",
        f"the import took over {seconds:g} s",
        path=path,
        line=next((line for file, line in reversed(stack) if file == path), None),
        hint="do slow work on first use, inside a tool",
        tools=tool_names(_text(path) or ""),
    )


def line_in(path: str, failure: BaseException) -> int | None:
    """The line of the file at `path` that `failure` came through last, however deep it was raised."""
    line = None
    seen: set[int] = set()
    current: BaseException | None = failure
    while current is not None and line is None and id(current) not in seen:
        seen.add(id(current))
        entry: TracebackType | None = current.__traceback__
        while entry is not None:
            if entry.tb_frame.f_code.co_filename == path:
                line = entry.tb_lineno
            entry = entry.tb_next
        current = current.__cause__ or current.__context__
    return line


def _module_missing(
    failure: ModuleNotFoundError,
    name: str,
    path: str,
    line: int | None,
    names: tuple[str, ...],
    source: Source,
) -> Finding:
    top = name.partition(".")[0]
    where = _elsewhere(path, failure)
    if top.startswith(PREFIX):
        return error(
            "import_failed",
            f"the import failed: this source has no module {source.readable(name)!r}{where}",
            path=path,
            line=line,
            tools=names,
        )
    if name != top and _present(top):
        return error(
            "import_failed",
            f"the import failed: the installed package {top!r} has no module {name!r}{where}",
            path=path,
            line=line,
            hint=f"another version of {top} may have it",
            tools=names,
        )
    return error(
        "missing_dependency",
        f"the file needs the package {top!r}, which is not installed in {sys.executable}"
        f" ({type_name(failure)}: {failure}){where}",
        path=path,
        line=line,
        hint=f"{sys.executable} -m pip install {top}",
        tools=names,
    )


def _present(top: str) -> bool:
    try:
        return top in sys.modules or importlib.util.find_spec(top) is not None
    except (ImportError, ValueError):
        return False


def _unreadable(failure: BaseException, path: str) -> Finding:
    code: FindingCode = "file_unreadable"
    try:
        with open(path, "rb") as file:
            importlib.util.decode_source(file.read())
    except OSError as reason:
        return error(code, f"the file cannot be read: {reason.strerror or reason}", path=path)
    except (UnicodeDecodeError, SyntaxError, LookupError) as reason:
        line = None
        if isinstance(reason, UnicodeDecodeError):
            line = reason.object.count(b"\n", 0, reason.start) + 1
        return error(
            code,
            f"the file cannot be read as text: {reason}",
            path=path,
            line=line,
            hint="save it as UTF-8",
        )
    return error(code, f"the file cannot be read: {summary(failure)}", path=path)


def _text(path: str) -> str | None:
    try:
        with tokenize.open(path) as file:
            return file.read()
    except (OSError, UnicodeDecodeError, SyntaxError, LookupError):
        return None


def _exit(failure: BaseException) -> str:
    if isinstance(failure, SystemExit):
        return f"SystemExit with status {failure.code if failure.code is not None else 0}"
    return summary(failure)


def _elsewhere(path: str, failure: BaseException) -> str:
    """Where the exception was raised, if that was in another file."""
    if isinstance(failure, SyntaxError) and failure.filename:
        return "" if failure.filename == path else f" ({failure.filename}:{failure.lineno})"
    entry = failure.__traceback__
    last: tuple[str, int] | None = None
    while entry is not None:
        file = entry.tb_frame.f_code.co_filename
        if not file.startswith(("<", OWN_FILES)):
            last = (file, entry.tb_lineno)
        entry = entry.tb_next
    if last is None or last[0] == path:
        return ""
    return f" ({last[0]}:{last[1]})"
