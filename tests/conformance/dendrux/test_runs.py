"""Compares whole runs with what dendrux's agent made of the same calls.

The recorded run with a tool that the agent's own options deny is left out: no host sees such a call.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ..replay import log, recorded, replay
from ..verdicts import judge, read_differences
from .host_caller import HostCaller
from .records import HERE, read

RECORDS = read("runs")
DIFFERENCES = read_differences(HERE / "differences_runs.json")


@pytest.mark.parametrize("key", RECORDS)
def test_run(key: str, tmp_path: Path) -> None:
    record = RECORDS[key]
    with HostCaller(record["file"], tmp_path) as tools:
        answer = replay(tools.host, record) | log(tmp_path, record)
        judge(key, recorded(record), answer, DIFFERENCES)


def test_the_result_of_a_client_tool_is_submitted(tmp_path: Path) -> None:
    with HostCaller("x_raises.py", tmp_path) as tools, tools.host.run() as run:
        pending, ran = run.call_all([("client_side", {"a": 1}, "c1"), ("pa", {"n": 1}, "c2")])
        assert (pending.call_id, pending.tool, pending.arguments) == ("c1", "client_side", '{"a":1}')
        assert ran.text == '"p1"'
        assert [each.call_id for each in run.pending] == ["c1"]
        assert run.submit("c1", "from the client").text == "from the client"
        assert run.pending == ()
