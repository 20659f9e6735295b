"""The stand-in's commands really run."""

from __future__ import annotations

import asyncio
import os
import sys

import pytest

from pegboard.compat.execute import bash, execute, python
from pegboard.compat.interpreter import read_env_with_deprecation, resolve_python_executable


def test_a_program_gets_its_arguments_without_a_shell() -> None:
    assert asyncio.run(execute(["printf", "%s", "a b $HOME"])) == "a b $HOME"


def test_bash_is_a_shell_and_python_is_python() -> None:
    assert asyncio.run(bash("echo one; echo two >&2")).split() == ["one", "two"]
    assert asyncio.run(python("import sys; print(sys.version_info[0])")) == "3\n"


def test_folder_variables_and_input_are_passed(tmp_path) -> None:
    assert asyncio.run(execute(["pwd"], cwd=str(tmp_path))).strip() == os.path.realpath(tmp_path)
    assert asyncio.run(bash("echo $ADDED", env={"ADDED": "here"})) == "here\n"
    assert asyncio.run(execute(["cat"], input="given")) == "given"


def test_without_input_stdin_is_empty() -> None:
    assert asyncio.run(execute(["cat"])) == ""


def test_a_status_other_than_zero_raises_with_the_output() -> None:
    with pytest.raises(RuntimeError, match=r"\(3\)(.|\n)*said"):
        asyncio.run(bash("echo said; exit 3"))


def test_a_program_that_is_not_there_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="no-such-program"):
        asyncio.run(execute(["no-such-program"]))


def test_a_timeout_ends_the_program_and_its_children_and_keeps_what_was_written(tmp_path) -> None:
    mark = tmp_path / "late"
    with pytest.raises(TimeoutError, match=r"timed out after 1 seconds(.|\n)*early"):
        asyncio.run(bash(f"echo early; (sleep 2; touch {mark}) & sleep 30", timeout=1))
    asyncio.run(asyncio.sleep(2))
    assert not mark.exists()


def test_cancelling_ends_the_program(tmp_path) -> None:
    mark = tmp_path / "late"

    async def live() -> None:
        running = asyncio.create_task(bash(f"sleep 1; touch {mark}"))
        await asyncio.sleep(0.3)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        await asyncio.sleep(1.2)

    asyncio.run(live())
    assert not mark.exists()


def test_secrets_are_masked_in_output_and_messages() -> None:
    assert asyncio.run(execute(["echo", "key hunter2"], secrets=["hunter2"])) == "key ***\n"
    with pytest.raises(RuntimeError) as caught:
        asyncio.run(execute(["bash", "-c", "echo hunter2; exit 1"], secrets=["hunter2"]))
    assert "hunter2" not in str(caught.value)


def test_a_command_is_a_tool_too() -> None:
    assert execute.name == "execute"
    assert execute.parameters_schema["required"] == ["cmd"]


def test_the_python_executable_is_a_python(monkeypatch) -> None:
    assert os.access(resolve_python_executable(), os.X_OK)
    monkeypatch.setattr(sys, "executable", "/usr/bin/some-host")
    assert "python" in os.path.basename(resolve_python_executable())
    monkeypatch.setattr(sys, "prefix", "/nowhere")
    with pytest.raises(ValueError, match="/nowhere"):
        resolve_python_executable()


def test_an_old_variable_answers_with_a_warning(monkeypatch) -> None:
    monkeypatch.setenv("OLD_NAME", "value")
    with pytest.warns(DeprecationWarning, match="NEW_NAME"):
        assert read_env_with_deprecation("NEW_NAME", "OLD_NAME") == "value"
    monkeypatch.setenv("NEW_NAME", "newer")
    assert read_env_with_deprecation("NEW_NAME", "OLD_NAME") == "newer"
    assert read_env_with_deprecation("NEITHER", "NOR", "default") == "default"
