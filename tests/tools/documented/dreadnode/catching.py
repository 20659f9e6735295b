"""The four ways to say which exceptions reach the model."""

import json

from dreadnode import tool


def fail(kind: str) -> dict[str, str]:
    """Raise what the name says."""
    if kind == "json":
        json.loads("{")
    raise {"connection": ConnectionError, "value": ValueError}[kind](f"a {kind} error")


@tool
def by_default(kind: str) -> dict[str, str]:
    """Let the model see errors of decoding and validation."""
    return fail(kind)


@tool(catch=True)
def all_of_them(kind: str) -> dict[str, str]:
    """Let the model see every error."""
    return fail(kind)


@tool(catch=[ConnectionError, TimeoutError])
def some_of_them(kind: str) -> dict[str, str]:
    """Let the model see the listed errors."""
    return fail(kind)


@tool(catch=False)
def none_of_them(kind: str) -> dict[str, str]:
    """Let the model see no error."""
    return fail(kind)
