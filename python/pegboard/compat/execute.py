"""Owns the commands that tool files run: `execute`, `bash` and `python`, tools and functions in one.

Must not run anything through a shell unless it is asked for by name, and must not leave a process behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal

from pegboard.compat.interpreter import resolve_python_executable
from pegboard.compat.tool import tool

GRACE_SECONDS = 5.0
"""How long a process group may take to end after it was asked to."""


@tool
async def execute(
    cmd: list[str],
    *,
    timeout: int = 120,
    cwd: str | None = None,
    env: dict[str, str] | None = None,
    input: str | None = None,
    secrets: list[str] | None = None,
) -> str:
    """Run a program with its arguments, without a shell, and return what it wrote to stdout and stderr.

    Args:
        cmd: The program and its arguments.
        timeout: The seconds after which the program and its children are ended.
        cwd: The folder to run it in.
        env: Variables to set beside those of the host.
        input: Text for its stdin; without it, stdin is empty.
        secrets: Texts to mask in the output and in messages.

    Raises:
        TimeoutError: it did not end in time; the message holds what it wrote until then.
        RuntimeError: it ended with a status other than 0; the message holds the status and what it wrote.
    """
    command = _masked(" ".join(cmd), secrets)
    process = await asyncio.create_subprocess_exec(
        *cmd,
        stdin=asyncio.subprocess.DEVNULL if input is None else asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        cwd=cwd,
        env={**os.environ, **(env or {})},
        start_new_session=True,
    )
    written = bytearray()
    try:
        async with asyncio.timeout(timeout):
            await asyncio.gather(_read(process, written), _feed(process, input))
            status = await process.wait()
    except TimeoutError as error:
        output = _masked(written.decode(errors="replace"), secrets)
        partial = f"\n\nUntil then it wrote:\n{output}" if output else ""
        raise TimeoutError(f"Command '{command}' timed out after {timeout} seconds.{partial}") from error
    finally:
        await _end(process)
    output = _masked(written.decode(errors="replace"), secrets)
    if status != 0:
        raise RuntimeError(f"Command failed ({status}):\n{output}")
    return output


@tool
async def bash(
    cmd: str,
    *,
    timeout: int = 120,
    cwd: str | None = None,
    env: dict[str, str] | None = None,
    input: str | None = None,
) -> str:
    """Run a line of bash and return what it wrote.

    Args:
        cmd: The line.
        timeout: The seconds after which it is ended.
        cwd: The folder to run it in.
        env: Variables to set beside those of the host.
        input: Text for its stdin.
    """
    return await execute(["bash", "-c", cmd], timeout=timeout, cwd=cwd, env=env, input=input)


@tool
async def python(
    code: str,
    *,
    timeout: int = 120,
    cwd: str | None = None,
    env: dict[str, str] | None = None,
) -> str:
    """Run Python code in a process of its own and return what it printed.

    Args:
        code: The code.
        timeout: The seconds after which it is ended.
        cwd: The folder to run it in.
        env: Variables to set beside those of the host.
    """
    return await execute([resolve_python_executable(), "-"], timeout=timeout, cwd=cwd, env=env, input=code)


def _masked(text: str, secrets: list[str] | None) -> str:
    for secret in sorted(filter(None, secrets or ()), key=len, reverse=True):
        text = text.replace(secret, "***")
    return text


async def _read(process: asyncio.subprocess.Process, written: bytearray) -> None:
    if process.stdout is not None:
        while chunk := await process.stdout.read(65536):
            written += chunk


async def _feed(process: asyncio.subprocess.Process, text: str | None) -> None:
    if process.stdin is None or text is None:
        return
    # A program may end without reading all of its input; that is not the caller's mistake.
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(text.encode())
        await process.stdin.drain()
    process.stdin.close()


async def _end(process: asyncio.subprocess.Process) -> None:
    """Ends the process and what it started, politely first; does nothing when it is over."""
    if process.returncode is not None:
        return
    for wanted in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, wanted)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE_SECONDS):
                await process.wait()
                return
