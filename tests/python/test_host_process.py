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
