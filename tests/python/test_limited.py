"""Jobs under a time limit: order, patience, and an end for each."""

from __future__ import annotations

import contextvars
import threading
import time

from pegboard.runtime.limited import TimedOut, run_each

VARIABLE = contextvars.ContextVar("variable", default="unset")


def test_results_stand_in_order():
    assert run_each([lambda number=number: number * 2 for number in range(50)], 5.0) == [
        number * 2 for number in range(50)
    ]
    assert run_each([], 5.0) == []


def test_jobs_run_one_after_the_other_while_they_are_quick():
    running: list[int] = []

    def job() -> int:
        running.append(1)
        alone = len(running)
        running.pop()
        return alone

    assert set(run_each([job] * 100, 5.0)) == {1}


def test_late_jobs_time_out_together_and_the_others_are_done():
    release = threading.Event()

    def stuck() -> str:
        release.wait(60)
        return "late"

    begun = time.monotonic()
    outcomes = run_each([stuck, lambda: "a", stuck, lambda: "b", stuck], 0.5)
    taken = time.monotonic() - begun
    release.set()
    assert [outcome if isinstance(outcome, str) else TimedOut for outcome in outcomes] == [
        TimedOut,
        "a",
        TimedOut,
        "b",
        TimedOut,
    ]
    assert taken < 3 * 0.5 + 3


def test_a_timed_out_job_says_where_it_was():
    release = threading.Event()

    def stuck() -> None:
        release.wait(60)

    (outcome,) = run_each([stuck], 0.2)
    release.set()
    assert isinstance(outcome, TimedOut)
    assert any(file == __file__ for file, _ in outcome.stack)


def test_a_slow_job_within_the_limit_has_its_result():
    def slow() -> str:
        time.sleep(0.3)
        return "slow"

    assert run_each([slow, lambda: "quick"], 5.0) == ["slow", "quick"]
    assert run_each([slow, lambda: "quick"], 0.5) == ["slow", "quick"]


def test_context_variables_are_seen():
    VARIABLE.set("set")
    assert run_each([VARIABLE.get], 5.0) == ["set"]
