"""Owns the placeholders for what a tool file may import from dendrux and only the real package has.

A placeholder can be imported, named in a type hint, caught and subclassed. It says what is missing when it is
used: called, or asked for an attribute. Must not stand in for anything that a tool needs in order to be
loaded.
"""

from __future__ import annotations

from functools import cache
from typing import Any


class Absent(type):
    """The type of placeholders and of classes derived from them."""

    _path: str

    def __call__(cls, *args: object, **kwargs: object) -> Any:
        """Raises `ImportError` that says what is missing."""
        derived = "" if cls.__module__.startswith("dendrux") else f" (the base of {cls.__qualname__})"
        raise ImportError(f"{cls._path}{derived} {_ADVICE}", name="dendrux")

    def __getattr__(cls, name: str) -> Any:
        """Raises `AttributeError`, so that looking for an attribute stays harmless."""
        if name.startswith("__"):
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")
        raise AttributeError(f"{cls._path}.{name} {_ADVICE}")


_ADVICE = (
    "is not available: the package dendrux is not installed here, and pegboard answers only for its tools; "
    "install it to run agents: pip install dendrux"
)


def __getattr__(name: str) -> Any:
    """The placeholder of a name, given below `dendrux`: `Agent`, `llm.AnthropicProvider`."""
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _placeholder(name)


@cache
def _placeholder(name: str) -> Absent:
    package, _, own = f"dendrux.{name}".rpartition(".")
    # What a file may name in an `except` clause has to be an exception.
    base = Exception if own.endswith(("Error", "Mismatch", "Required")) else object
    return Absent(own, (base,), {"__module__": package, "__doc__": None, "_path": f"{package}.{own}"})
