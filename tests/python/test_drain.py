"""Draining: what generators and awaitables become."""

from __future__ import annotations

import asyncio

import pytest

from pegboard.runtime.drain import TooManyItemsError, collect, collect_async, finish


def test_items_become_a_list():
    assert collect((number for number in range(3)), 10) == [0, 1, 2]
    assert collect(iter_nothing(), 10) == []


def iter_nothing():
    return
    yield


def test_the_return_value_counts_where_nothing_was_yielded():
    def returns():
        return "value"
        yield

    def yields_and_returns():
        yield 1
        return "ignored"

    assert collect(returns(), 10) == "value"
    assert collect(yields_and_returns(), 10) == [1]


def test_too_many_items_close_the_generator():
    closed = []

    def endless():
        try:
            while True:
                yield 1
        finally:
            closed.append(1)

    with pytest.raises(TooManyItemsError, match="more than 5 items"):
        collect(endless(), 5)
    assert closed == [1]
    assert collect((1 for _ in range(5)), 5) == [1] * 5


def test_async_items_become_a_list():
    async def g():
        yield "a"
        await asyncio.sleep(0)
        yield "b"

    assert asyncio.run(collect_async(g(), 2)) == ["a", "b"]


@pytest.mark.parametrize("limit", [3])
def test_too_many_async_items(limit):
    closed = []

    async def endless():
        try:
            while True:
                yield 1
        finally:
            closed.append(1)

    with pytest.raises(TooManyItemsError):
        asyncio.run(collect_async(endless(), limit))
    assert closed == [1]


def test_cancelling_runs_the_finally():
    closed = []

    async def slow():
        try:
            yield 1
            await asyncio.sleep(60)
        finally:
            closed.append(1)

    async def main():
        task = asyncio.create_task(collect_async(slow(), 10))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert closed == [1]


def test_any_awaitable_is_finished():
    class Awaitable:
        def __await__(self):
            yield from asyncio.sleep(0).__await__()
            return "done"

    assert asyncio.run(finish(Awaitable())) == "done"
