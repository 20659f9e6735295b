"""Standard streams and the running call: who wrote, and what code deeper down can know."""

from __future__ import annotations

import asyncio
import contextvars
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from pegboard import Context
from pegboard.runtime import streams
from pegboard.runtime.current import CURRENT, run


class Handle:
    """A call as a runner would offer it."""

    def __init__(self, call_id: str = "c1") -> None:
        self.call_id = call_id
        self.tool = "t"
        self.cancelled = False
        self.written: list[tuple[str, str]] = []
        self.reported: list[tuple[float, float | None, str | None]] = []

    def write(self, stream: str, text: str) -> None:
        self.written.append((stream, text))

    def progress(self, done: float, total: float | None, message: str | None) -> None:
        self.reported.append((done, total, message))


def during(handle: Handle, function: Any, *args: Any) -> Any:
    return contextvars.copy_context().run(run, handle, function, args, {})


@contextmanager
def routed(out: Any = None, err: Any = None) -> Iterator[tuple[Any, Any]]:
    """Streams of our own under the routers; pytest puts its own in place between fixture and test."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = out, err
    streams.install()
    try:
        yield out, err
    finally:
        sys.stdout, sys.stderr = before


def originals() -> tuple[io.TextIOWrapper, io.StringIO]:
    return io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()


def test_output_of_a_call_goes_to_the_call():
    handle = Handle()
    with routed(*originals()) as (_, err):
        during(handle, print, "a")
        during(handle, lambda: print("b", file=sys.stderr))
        during(handle, lambda: sys.stdout.writelines(["c", "d"]))
    assert handle.written == [
        ("stdout", "a"),
        ("stdout", "\n"),
        ("stderr", "b"),
        ("stderr", "\n"),
        ("stdout", "c"),
        ("stdout", "d"),
    ]
    assert err.getvalue() == ""


def test_output_outside_of_calls_goes_where_it_went():
    with routed(*originals()) as (out, err):
        print("to out")
        print("to err", file=sys.stderr)
        streams.flush()
    assert out.buffer.getvalue() == b"to out\n"
    assert err.getvalue() == "to err\n"


def test_bytes_are_kept_as_text():
    handle = Handle()
    with routed(*originals()) as (out, _):
        during(handle, lambda: sys.stdout.buffer.write("grün".encode()))
        assert sys.stdout.buffer is out.buffer
    assert handle.written == [("stdout", "grün")]


def test_installing_twice_changes_nothing():
    with routed(*originals()):
        first = sys.stdout
        streams.install()
        assert sys.stdout is first


def test_a_stream_of_a_call_is_no_terminal():
    with routed(*originals()):
        assert during(Handle(), lambda: sys.stdout.isatty()) is False
        assert sys.stdout.writable()
        with pytest.raises(TypeError, match="must be str"):
            sys.stdout.write(b"bytes")


def test_what_else_a_stream_has_is_the_originals():
    with routed(*originals()) as (out, _):
        out.reconfigure(line_buffering=True)
        assert sys.stdout.line_buffering is True
        assert sys.stdout.encoding == "utf-8"


def test_closing_the_stream_closes_nothing():
    with routed(*originals()) as (out, _):
        sys.stdout.close()
        print("still here")
        streams.flush()
    assert out.buffer.getvalue() == b"still here\n"


def test_without_an_original_nothing_breaks():
    with routed(None, None):
        print("nowhere")
        streams.flush()
        with pytest.raises(io.UnsupportedOperation):
            sys.stdout.fileno()


def test_a_lost_reader_does_not_stop_the_flush():
    class Broken(io.StringIO):
        def flush(self) -> None:
            raise BrokenPipeError

    class Counting(io.StringIO):
        flushed = 0

        def flush(self) -> None:
            self.flushed += 1

    with routed(Broken(), Counting()) as (_, err):
        streams.flush()
    assert err.flushed == 1


def test_calls_do_not_mix():
    async def tool(text: str) -> str:
        await asyncio.sleep(0)
        CURRENT.get().write("log", text)
        return Context.current().call_id

    async def main() -> tuple[list[Handle], list[str]]:
        handles = [Handle(f"c{number}") for number in range(5)]
        tasks = []
        for handle in handles:
            context = contextvars.copy_context()
            coroutine = context.run(run, handle, tool, (handle.call_id,), {})
            tasks.append(asyncio.get_running_loop().create_task(coroutine, context=context))
        return handles, await asyncio.gather(*tasks)

    handles, answers = asyncio.run(main())
    assert answers == ["c0", "c1", "c2", "c3", "c4"]
    assert [handle.written for handle in handles] == [[("log", answer)] for answer in answers]


def test_contexts_speak_through_the_call():
    handle = Handle()
    context = Context(handle)
    context.log("note")
    context.progress(1, 2, "half")
    context.progress(3)
    assert handle.written == [("log", "note")]
    assert handle.reported == [(1.0, 2.0, "half"), (3.0, None, None)]
    assert (context.call_id, context.tool, context.cancelled) == ("c1", "t", False)
    handle.cancelled = True
    assert context.cancelled
    assert during(handle, lambda: Context.current().call_id) == "c1"


def test_outside_of_calls_there_is_no_context():
    with pytest.raises(RuntimeError, match="no tool call is running here"):
        Context.current()
