"""The stand-in modules: every path answers, nothing is imported early, and what is missing is named."""

from __future__ import annotations

import importlib
import subprocess
import sys
import textwrap

import pytest
from conftest import REPOSITORY

from pegboard.compat.finder import install, is_stand_in
from pegboard.compat.modules import TABLES, stand_ins

install("builtin")

DOCUMENTED = {
    "dreadnode": "tool tool_method Tool Toolset Config Context EnvVar Stop ErrorModel current_tool_call "
    "Markdown Image Audio Video ContentText ContentImageUrl configure get_default_instance log_metric "
    "log_metrics log_output log_outputs log_input log_inputs log_param log_params log_artifact tag task "
    "span CurrentTask",
    "dreadnode.agents": "tool tool_method Tool Toolset",
    "dreadnode.agents.tools": "tool tool_method Tool Toolset current_tool_call Stop ErrorModel",
    "dreadnode.core.tools": "tool tool_method Tool Toolset",
    "dreadnode.core.meta": "Config Context EnvVar CurrentTask",
    "dreadnode.meta": "Config Context EnvVar CurrentTask",
    "dreadnode.agent.tools": "tool tool_method Tool Toolset",
    "dreadnode.agent.tools.base": "tool tool_method Tool Toolset",
    "dreadnode.tools": "bash python",
    "dreadnode.tools.execute": "execute bash python",
    "dreadnode.app.env": "resolve_python_executable",
    "dreadnode.data_types": "Markdown Image Audio Video",
    "rigging": "tool tool_method Tool Stop ContentText ContentImageUrl",
    "rigging.tools": "tool tool_method Tool",
}


def run(code: str) -> str:
    """The output of a fresh Python that has the stand-ins."""
    prelude = "import sys; from pegboard.compat.finder import install; install('builtin')\n"
    done = subprocess.run(
        [sys.executable, "-c", prelude + textwrap.dedent(code)],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(REPOSITORY / "python")},
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("path", DOCUMENTED)
def test_a_documented_path_has_its_names(path: str) -> None:
    module = importlib.import_module(path)
    assert is_stand_in(module)
    missing = [name for name in DOCUMENTED[path].split() if getattr(module, name, None) is None]
    assert missing == []


@pytest.mark.parametrize("framework", TABLES)
def test_every_name_of_every_stand_in_exists(framework: str) -> None:
    for path, stand_in in stand_ins(framework).items():
        module = importlib.import_module(path)
        for name in stand_in.names:
            assert getattr(module, name) is not None, f"{path}.{name}"


def test_one_name_does_not_import_the_rest() -> None:
    imported = run(
        """
        from dreadnode import tag
        print(sorted(name for name in sys.modules if name.startswith("pegboard.compat.")))
        """
    )
    assert "telemetry" in imported
    for other in ("toolset", "execute", "message", "values", "injection"):
        assert f"pegboard.compat.{other}" not in imported


def test_the_same_object_stands_at_every_path() -> None:
    from dreadnode import tool
    from dreadnode.agent.tools.base import tool as older
    from dreadnode.agents.tools import tool as newer

    assert tool is newer is older


def test_a_star_import_takes_the_public_names() -> None:
    names: dict[str, object] = {}
    exec("from dreadnode.agents.tools import *", names)
    assert {"tool", "tool_method", "Toolset"} <= names.keys()


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("from dreadnode import Agent", "'Agent'"),
        ("from dreadnode.agents.tools import Nothing", "'Nothing'"),
        ("import dreadnode.scorers", "'scorers'"),
        ("from rigging import Chat", "'Chat'"),
    ],
)
def test_an_import_that_is_not_answered_names_the_thing_and_the_package(statement: str, name: str) -> None:
    with pytest.raises(ImportError) as caught:
        exec(statement)
    framework = "rigging" if "rigging" in statement else "dreadnode"
    assert name in str(caught.value)
    assert f"pip install {framework}" in str(caught.value)
    assert caught.value.name == framework


def test_an_attribute_that_is_not_answered_names_the_thing_and_the_package() -> None:
    import dreadnode

    with pytest.raises(AttributeError, match=r"'Agent'.*pip install dreadnode"):
        _ = dreadnode.Agent
    assert not hasattr(dreadnode, "__version__")


def test_submodules_are_reached_as_attributes() -> None:
    output = run("import dreadnode; print(dreadnode.agents.tools.tool is dreadnode.tool)")
    assert output.strip() == "True"


def test_another_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="'real'"):
        install("real")  # type: ignore[arg-type]


def test_a_package_beside_the_stand_in_wins_unless_told_otherwise(tmp_path) -> None:
    package = tmp_path / "rigging"
    package.mkdir()
    (package / "__init__.py").write_text("tool = 'the real one'\n")
    code = """
        import sys
        from pegboard.compat.finder import install
        install({mode!r})
        sys.path.insert(0, {path!r})
        import rigging
        print(rigging.tool)
        install("builtin")
        print(install("builtin"))
        """
    real = run(code.format(mode="auto", path=str(tmp_path))).splitlines()
    assert real == ["the real one", "('rigging',)"]
    ours = run(code.format(mode="builtin", path=str(tmp_path))).splitlines()
    assert ours[0].startswith("<function tool")
    assert ours[1] == "()"


def test_a_real_package_is_completed_with_what_its_page_documents(tmp_path) -> None:
    package = tmp_path / "dreadnode"
    (package / "agents").mkdir(parents=True)
    (package / "__init__.py").write_text("def __getattr__(name):\n    raise AttributeError(name)\n")
    (package / "agents" / "__init__.py").write_text("")
    (package / "agents" / "tools.py").write_text(
        "from pydantic import BaseModel\n"
        "class Tool: ...\n"
        "class Toolset(BaseModel): ...\n"
        "def tool(func): return ('tool of', func.__name__, dict(func.__annotations__))\n"
        "def tool_method(func): return ('method of', func.__name__)\n"
    )
    output = run(
        f"""
        install("auto")
        sys.path.insert(0, {str(tmp_path)!r})
        import dreadnode, dreadnode.agents.tools as tools
        from dreadnode.core.tools import Toolset
        print(dreadnode.Tool is tools.Tool)
        print(issubclass(dreadnode.Toolset, tools.Toolset), Toolset is dreadnode.Toolset)
        def f(a: "int") -> "NoSuchName": ...
        print(dreadnode.tool(f))
        try:
            dreadnode.Agent
        except AttributeError as error:
            print("missing", error)
        """
    )
    assert output.splitlines() == [
        "True",
        "True True",
        "('tool of', 'f', {'a': <class 'int'>})",
        "missing Agent",
    ]
