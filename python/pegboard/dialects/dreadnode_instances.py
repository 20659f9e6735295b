"""Owns what the tools of one toolset instance share: their serial number, and the entering of its context.

Must not keep an instance alive: that is the tools' own affair.
"""

from __future__ import annotations

import weakref
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pegboard.dialects.pegboard import next_serial
from pegboard.runtime.lifetime import enter_once

Enter = Callable[[], Awaitable[None]]


@dataclass(slots=True)
class _Known:
    instance: weakref.ref[Any]
    serial: int
    enter: weakref.WeakMethod[Enter] | None = None


_known: dict[int, _Known] = {}


def serial_of(instance: Any) -> int | None:
    """The number that an instance's tools share, unless its class lets sync calls run at the same time."""
    cls = type(instance)
    if getattr(cls, "concurrent", False) is True or not hasattr(cls, "__weakref__"):
        return None
    return _of(instance).serial


def enter_of(instance: Any, file: str) -> Enter | None:
    """What enters an instance before its first call, or `None` if it is no context manager.

    The same for all its tools, so that it is entered once.
    """
    known = _of(instance)
    enter = known.enter() if known.enter is not None else None
    if enter is None:
        enter = enter_once(instance, file)
        if enter is not None:
            known.enter = weakref.WeakMethod(enter)
    return enter


def enter_all_of(instances: Iterable[Any], file: str) -> Enter | None:
    """What enters several instances, each before the next, or `None` if none of them is a context manager."""
    steps = [step for instance in instances if (step := enter_of(instance, file)) is not None]
    if len(steps) < 2:
        return steps[0] if steps else None

    async def enter_each() -> None:
        for step in steps:
            await step()

    return enter_each


def _of(instance: Any) -> _Known:
    key = id(instance)
    if key not in _known:
        _known[key] = _Known(weakref.ref(instance, lambda _: _known.pop(key, None)), next_serial())
    return _known[key]
