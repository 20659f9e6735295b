"""The report on capabilities, and the options about them, in the installed package."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

CAPABILITY = Path(__file__).resolve().parents[1] / "tools" / "capability"

SCRIPT = """
import json, sys
import pegboard
with pegboard.Host({source!r}, **json.loads({options!r})) as host:
    (health,) = host.health
    names = ["name", "version", "status", "tools", "flags", "checks", "secrets", "dependencies", "servers"]
    told = {{name: getattr(health, name) for name in names}}
    told["root"] = str(health.root)
    told["codes"] = [diagnostic.code for diagnostic in health.diagnostics]
    told["listed"] = [tool.name for tool in host.tools]
    print(json.dumps(told))
"""


def told(folder: Path, **options: Any) -> dict[str, Any]:
    script = SCRIPT.format(source=str(CAPABILITY), options=json.dumps(options))
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


def test_the_report_tells_what_a_capability_brings_and_lacks(tmp_path: Path) -> None:
    health = told(tmp_path, flags={"port-survey.remote": True}, kept_flags={"port-survey.quick": False})
    assert (health["name"], health["version"], health["status"]) == ("port-survey", "1.2.0", "error")
    assert health["root"] == str(CAPABILITY)
    assert health["tools"] == [{"name": "ports", "namespaced_name": "port_survey__ports"}]
    assert [(flag["name"], flag["is_on"], flag["layer"]) for flag in health["flags"]] == [
        ("quick", False, "kept"),
        ("remote", True, "run"),
    ]
    assert [check["problem"] for check in health["checks"]] == [None, "no scanner is installed"]
    assert [(secret["name"], secret["is_present"]) for secret in health["secrets"]] == [
        ("PORT_SURVEY_UNSET_KEY", False)
    ]
    assert health["dependencies"] == {"python": ["pydantic"], "packages": [], "scripts": []}
    assert [(server["name"], server["is_active"]) for server in health["servers"]] == [
        ("local", True),
        ("remote", True),
    ]
    # The server needs the secret, and its tools are listed beside those of files.
    assert health["codes"] == ["secret_missing", "check_failed", "server_not_started"]
    assert health["listed"] == ["ports", "known_ports"]


def test_options_leave_out_checks_servers_and_tools(tmp_path: Path) -> None:
    health = told(
        tmp_path, run_checks=False, start_servers=False, tool_rules={"*": True, "port_survey__*": False}
    )
    assert (health["checks"], health["listed"], health["tools"]) == ([], [], [])
    assert health["codes"] == ["secret_missing", "tool_excluded"]


def test_options_of_a_wrong_shape_are_named(tmp_path: Path) -> None:
    script = """
import pegboard
for option in ({"flags": {"quick": True}}, {"flags": {"a.b": "maybe"}}, {"tool_rules": 3}):
    try:
        pegboard.Host(".", **option)
    except (TypeError, ValueError) as error:
        print(error)
"""
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert ran.stdout.splitlines() == [
        'flags takes keys such as "capability.flag", not "quick"',
        "flags must be a mapping from names to True or False",
        "tool_rules must be a mapping from names to True or False",
    ]
