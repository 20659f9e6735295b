"""Owns what a caller awaits: futures of its own event loop, and the bridge of that loop.

Must not run anything: the bridge polls what each future stands for. Only a Python application imports this.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from pegboard._native import Bridge, Deferred

__all__ = ["Awaited", "later", "make"]

_bridges: WeakKeyDictionary[asyncio.AbstractEventLoop, Bridge] = WeakKeyDictionary()
_making = threading.Lock()


class Awaited(asyncio.Future[Any]):
    """A future that a bridge ends; cancelling it cancels what it stands for.

    It is a coroutine too, for those that take nothing else: `asyncio.create_task` and task groups.
    """

    bridge: Bridge
    _steps: Generator[Any, None, Any] | None = None

    def cancel(self, msg: Any = None) -> bool:
        """As of any future."""
        if not super().cancel(msg):
            return False
        self.bridge.forget(self)
        return True

    def fail(self, error: BaseException) -> None:
        """End with an exception."""
        if isinstance(error, StopIteration):
            # No future can hold one: it would end whoever awaits it.
            wrapped = RuntimeError(f"the tool raised {error!r}")
            wrapped.__cause__ = error
            error = wrapped
        self.set_exception(error)

    def __await__(self) -> Generator[Any, None, Any]:
        """As of any future; what is not begun is begun now."""
        self.bridge.begin_early()
        return super().__await__()

    __iter__ = __await__

    def send(self, value: None) -> Any:
        """As of any coroutine."""
        if self._steps is None:
            self._steps = self.__await__()
        return self._steps.send(value)

    def throw(self, *exception: Any) -> Any:
        """As of any coroutine; what has not ended is cancelled."""
        self.cancel()
        return (self._steps or super().__await__()).throw(*exception)

    def close(self) -> None:
        """As of any coroutine; what has not ended is cancelled."""
        self.cancel()


async def later(deferred: Deferred) -> Any:
    """Begin what was asked for before any event loop ran, as in `asyncio.run(host.call_async(…))`."""
    return await deferred.begin()


def make() -> Awaited | None:
    """A future of the running event loop, if one runs; raises `RuntimeError` if it has no readers."""
    loop = asyncio._get_running_loop()
    if loop is None:
        return None
    bridge = _bridges.get(loop) or _connect(loop)
    awaited = Awaited(loop=loop)
    awaited.bridge = bridge
    # For those that are not awaited themselves, as by `asyncio.gather`.
    loop.call_soon(bridge.begin)
    return awaited


def _connect(loop: asyncio.AbstractEventLoop) -> Bridge:
    from pegboard._native import Bridge

    bridge = Bridge()
    try:
        loop.add_reader(bridge.fileno(), bridge.turn)
    except NotImplementedError:
        raise RuntimeError(
            f"nothing of a host can be awaited in {type(loop).__name__}, which has no `add_reader`; "
            "use `await asyncio.to_thread(host.call, …)`, or a loop of asyncio or uvloop"
        ) from None
    with _making:
        for other, left in list(_bridges.items()):
            if other.is_closed():
                left.forget_all()
                _bridges.pop(other, None)
        _bridges[loop] = bridge
    return bridge
