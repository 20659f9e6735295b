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
    from pegboard._native import Bridge

__all__ = ["Awaited", "make"]

_bridges: WeakKeyDictionary[asyncio.AbstractEventLoop, Bridge] = WeakKeyDictionary()
_making = threading.Lock()


class Awaited(asyncio.Future[Any]):
    """A future that a bridge ends; cancelling it cancels what it stands for."""

    bridge: Bridge

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


def make() -> Awaited:
    """A future of the running event loop; raises `RuntimeError` if there is none, or it has no readers."""
    loop = asyncio.get_running_loop()
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
