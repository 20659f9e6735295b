"""Signatures: names, kinds, and types resolved where they were written."""

from __future__ import annotations

import functools
import inspect
from typing import Annotated, Any

import pytest

from pegboard.runtime.signature import EMPTY, RETURN, read, underlying


def test_types_are_resolved_and_keep_their_metadata():
    def f(a: int, b: Annotated[str, "text"] = "x", *c: float, d: Any, **e: bytes) -> list[int]: ...

    signature = read(f)
    assert [(each.name, each.annotation) for each in signature.parameters] == [
        ("a", int),
        ("b", Annotated[str, "text"]),
        ("c", float),
        ("d", Any),
        ("e", bytes),
    ]
    assert signature.returns == list[int]
    assert [each.required for each in signature.parameters] == [True, False, False, True, False]


def test_what_does_not_resolve_is_named():
    def f(a: Missing, b: int, c: list[Missing]) -> Absent: ...  # noqa: F821

    signature = read(f)
    assert set(signature.unresolved) == {"a", "c", RETURN}
    assert "'Missing'" in signature.unresolved["a"]
    assert "'Absent'" in signature.unresolved[RETURN]
    assert [each.annotation for each in signature.parameters] == [EMPTY, int, EMPTY]
    assert signature.returns is EMPTY


def test_annotations_that_raise():
    def f(a): ...

    f.__annotations__ = {"a": "1 / 0"}
    assert read(f).unresolved == {"a": "ZeroDivisionError: division by zero"}
    f.__annotations__ = {"a": "not ( python"}
    assert "SyntaxError" in read(f).unresolved["a"]


def test_names_of_an_enclosing_function():
    class Local: ...

    def f(a: Local) -> None:
        return Local

    assert read(f).parameters[0].annotation is Local


class Scoped:
    class Inner: ...

    def list(self) -> str: ...

    def uses(self, a: Inner, b: list[int]) -> Inner: ...


def test_class_scope_is_looked_at_last():
    signature = read(Scoped().uses, owner=Scoped)
    assert signature.unresolved == {}
    assert [each.annotation for each in signature.parameters] == [Scoped.Inner, list[int]]


def test_the_first_parameter_can_be_left_out():
    assert [each.name for each in read(Scoped.uses, owner=Scoped, skip_first=True).parameters] == ["a", "b"]


def test_wrapped_functions_are_seen_through():
    def inner(a: Scoped) -> None: ...

    @functools.wraps(inner)
    def outer(*args, **kwargs): ...

    assert read(outer).parameters[0].annotation is Scoped
    assert underlying(functools.partial(outer)) is inner
    assert underlying(Scoped().uses) is Scoped.uses


def test_a_loop_of_wrappers_ends():
    def f(): ...

    f.__wrapped__ = f
    assert underlying(f) is f


def test_what_has_no_signature_is_an_error():
    with pytest.raises((TypeError, ValueError)):
        read(type)


def test_defaults_are_kept_as_they_are():
    default = object()

    def f(a=default): ...

    assert read(f).parameters[0].default is default
    assert read(f).parameters[0].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
