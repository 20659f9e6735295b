"""A host in a process of its own: Ctrl-C, hosts that are forgotten, and the end of the interpreter."""

from __future__ import annotations

import signal
import sys

import pytest
from hosts import run, start

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends POSIX signals")

WAITING = """
import asyncio, threading, time
from pegboard import Host
host = Host(DOOR)

async def wait():
    await host.call_async("meet", {"ms": 60_000})

def tell():
    while host.call("recall").structured != ["begins"]:
        time.sleep(0.01)
    print("waiting", flush=True)

threading.Thread(target=tell, daemon=True).start()
try:
    {call}
except KeyboardInterrupt:
    deadline = time.monotonic() + 20
    while "ends" not in host.call("recall").structured and time.monotonic() < deadline:
        time.sleep(0.01)
    print("interrupted", host.call("recall").structured, flush=True)
"""


@pytest.mark.parametrize(
    "call",
    [
        'host.call("meet", {"ms": 60_000})',
        'host.run().call("meet", {"ms": 60_000})',
        'host.run().call_all([("meet", {"ms": 60_000})])',
        "asyncio.run(wait())",
    ],
    ids=["call", "run", "call_all", "call_async"],
)
def test_ctrl_c_cancels_the_call(call):
    process = start(WAITING.replace("{call}", call))
    try:
        assert process.stdout.readline() == "waiting\n", process.stderr.read()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    assert (output, errors) == ("interrupted ['begins', 'cancelled', 'ends']\n", "")
    assert process.returncode == 0


WORKING = """
import os, signal, threading
from pegboard import Host
host = Host(DOOR)
{handler}

def interrupt():
    while host.call("recall").structured != ["begins"]:
        pass
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
try:
    host.call("work")
except KeyboardInterrupt:
    print("interrupted", host.call("recall").structured)
"""


@pytest.mark.parametrize(
    "handler",
    [
        "",
        """
def raise_it(*_):
    raise KeyboardInterrupt
signal.signal(signal.SIGINT, raise_it)""",
    ],
    ids=["Python's own", "of the application"],
)
def test_ctrl_c_reaches_the_caller_whose_thread_runs_the_tool(handler):
    assert run(WORKING.replace("{handler}", handler)) == (0, "interrupted ['begins', 'ends']\n", "")


def test_what_a_tool_raises_itself_is_no_ctrl_c():
    script = """
from pegboard import Host
with Host(DOOR) as host:
    print(host.call("give_in").failure.exception_type)
"""
    assert run(script) == (0, "KeyboardInterrupt\n", "")


def test_closing_answers_a_call_that_another_thread_waits_for():
    script = """
import threading
from pegboard import Host
host = Host(DOOR)
begun = threading.Event()
def wait():
    begun.set()
    print(host.call("nap", {"seconds": 600}).failure.kind, flush=True)
waiting = threading.Thread(target=wait, daemon=True)
waiting.start()
begun.wait()
while host.call("recall").structured != ["begins"]:
    pass
print([found.code for found in host.close()], flush=True)
waiting.join()
"""
    code, output, errors = run(script)
    assert (code, sorted(output.split()), errors) == (0, ["['close_failed']", "cancelled"], "")


@pytest.mark.parametrize(
    "script",
    [
        'Host(DOOR); print("end")',
        'host = Host(DOOR); host.call("meet", {"ms": 1}); print("end")',
        'host = Host(DOOR); host.call("meet", {"ms": 1}); del host; import gc; gc.collect(); print("end")',
        'hosts = [Host(DOOR) for _ in range(3)]; print("end")',
        'host = Host(DOOR); run = host.run(); run.call("ask", {"question": "?"}); print("end")',
    ],
    ids=["unused", "used", "collected", "several", "pending"],
)
def test_a_host_that_nobody_closes_holds_nothing_up(script):
    assert run(f"from pegboard import Host; {script}") == (0, "end\n", "")


def test_a_call_that_still_runs_does_not_hold_up_the_end():
    script = """
import threading
from pegboard import Host
host = Host(DOOR, grace=0.1)
threading.Thread(target=lambda: host.call("meet", {"ms": 60_000}), daemon=True).start()
while host.call("recall").structured != ["begins"]:
    pass
print("end")
"""
    assert run(script) == (0, "end\n", "")


def test_what_a_tool_writes_never_reaches_the_hosts_output():
    script = """
from pegboard import Host
with Host(DOOR) as host:
    for tool in ("talk", "talk_while_yielding"):
        assert host.call(tool).logs
print("end")
"""
    assert run(script) == (0, "end\n", "")


FORKING = """
import os, sys
from pegboard import Host, InterpreterError
host = Host(DOOR)
host.call("meet", {"ms": 1})
child = os.fork()
if child == 0:
    {child}
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), host.call("add", {"a": 1}).text)
"""


@pytest.mark.parametrize(
    "child",
    [
        "sys.exit(5)",
        "host.close(); sys.exit(5)",
        """
    try:
        host.call("add", {"a": 1})
    except InterpreterError as error:
        sys.exit(5 if "forked" in str(error) else 6)""",
        """
    try:
        Host(DOOR)
    except InterpreterError as error:
        sys.exit(5 if "forked" in str(error) else 6)""",
    ],
    ids=["leaves", "closes", "calls", "makes a host"],
)
def test_a_process_forked_from_the_hosts_ends_by_itself_and_is_told_that_it_has_none(child):
    assert run(FORKING.replace("{child}", child)) == (0, "5 2\n", "")


def test_the_first_host_may_be_made_after_forking():
    script = """
import os, sys
from pegboard import Host
child = os.fork()
if child == 0:
    with Host(DOOR) as host:
        sys.exit(int(host.call("add", {"a": 4}).text))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert run(script) == (0, "5\n", "")


LEAVING = """
from pegboard import Host
host = Host(DOOR)
failure = host.call({tool!r}, {arguments!r}).failure
assert failure is None, failure
print("end")
"""

LEFT = [
    ("leave_behind", {"how": "thread"}),
    ("leave_behind", {"how": "executor"}),
    ("leave_behind_the_loop", {}),
]


@pytest.mark.parametrize(("tool", "arguments"), LEFT, ids=["thread", "executor", "loop"])
def test_threads_that_tools_leave_behind_do_not_hold_up_the_end(tool, arguments, tmp_path):
    arguments = {**arguments, "path": str(tmp_path / "late"), "seconds": 600}
    assert run(LEAVING.format(tool=tool, arguments=arguments)) == (0, "end\n", "")


@pytest.mark.parametrize(("tool", "arguments"), LEFT[1:], ids=["executor", "loop"])
def test_what_workers_have_soon_done_is_waited_for(tool, arguments, tmp_path):
    arguments = {**arguments, "path": str(tmp_path / "soon"), "seconds": 0.2}
    assert run(LEAVING.format(tool=tool, arguments=arguments)) == (0, "end\n", "")
    assert (tmp_path / "soon").read_text() == "written"


def test_the_applications_own_workers_are_waited_for(tmp_path):
    script = f"""
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from pegboard import Host
with Host(DOOR) as host:
    host.call("leave_behind", {{"how": "executor", "path": "{tmp_path}/late", "seconds": 600}})
workers = ThreadPoolExecutor(1)
workers.submit(lambda: (time.sleep(2), Path("{tmp_path}/own").write_text("written")))
"""
    assert run(script) == (0, "", "")
    assert (tmp_path / "own").read_text() == "written"
