"""Writes and reads at every level there is."""

import os
import subprocess
import sys

from pegboard import Context, tool

print("at import")


@tool
def noisy(context: Context) -> str:
    """Write to every stream, and answer."""
    print("from print")
    print("from print to stderr", file=sys.stderr)
    os.write(1, b"from the descriptor\n")
    subprocess.run(["echo", "from a child"], check=True)
    context.progress(1, 2, "half")
    return "the answer"


@tool
def read_descriptor() -> str:
    """Read standard input as a child process finds it."""
    return repr(subprocess.run(["cat"], capture_output=True, check=True).stdout)


@tool
def ask() -> str:
    """Ask a question on the terminal."""
    return input("name? ")


@tool
def colours() -> str:
    """Write what a terminal would obey."""
    raise ValueError("\x1b[31mred\x07")


@tool(truncate=10)
def cut() -> str:
    """Return more than is shown."""
    return "x" * 100
