"""Which wait polls next: in time, by worth, and none forgotten."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airflow_video_creation.provider.waiting.poll_queue import PollQueue


@dataclass
class Even:
    """A job that is worth a look each so many seconds."""

    number: int
    interval: float
    looked_at: float = 0.0

    @property
    def place(self) -> tuple[float, int]:
        return (0.0, self.number)

    def due(self, worth: float = 1.0) -> float:
        return self.looked_at + self.interval * worth

    def worth(self, now: float) -> float:
        return (now - self.looked_at) / self.interval


def queue_of(jobs: list[Even]) -> PollQueue[int]:
    queue = PollQueue[int]()
    for job in jobs:
        queue.put(job.number, job)
    return queue


def test_a_wait_polls_when_its_job_is_worth_a_look() -> None:
    queue = queue_of([Even(0, 30), Even(1, 10)])
    assert queue.next_at(0) == 10
    assert queue.take(9.9) is None
    assert queue.take(10) == 1
    assert queue.next_at(10) == 30
    assert queue.take(30) == 0
    assert (queue.take(1e9), queue.next_at(1e9), len(queue)) == (None, inf, 0)


def test_a_pause_is_kept_and_a_last_look_is_not_missed() -> None:
    queue = PollQueue[str]()
    queue.put("paused", Even(0, 10), not_before=50)
    queue.put("last look", Even(1, 1000), not_before=5000, at_latest=70)
    assert queue.next_at(0) == 50
    assert queue.take(50) == "paused"
    assert queue.next_at(50) == 70
    assert queue.take(70) == "last look"


def test_a_last_look_goes_before_what_is_worth_more() -> None:
    jobs = [Even(number, 1) for number in range(50)]
    queue = queue_of(jobs)
    queue.put(99, Even(99, 80), at_latest=100)
    assert queue.take(100) == 0
    assert queue.take(100) == 99


def test_of_many_last_looks_three_in_four_go_by_submission_and_one_to_the_longest_up() -> None:
    queue = queue_of([])
    for number in reversed(range(50)):
        queue.put(number, Even(number, 1000), at_latest=70)
    assert [queue.take(100) for _ in range(8)] == [0, 1, 2, 49, 3, 4, 5, 48]


def test_jobs_that_are_known_to_have_ended_poll_before_all_others_in_their_order() -> None:
    queue: PollQueue[str] = PollQueue()
    for number in range(20):
        queue.put(f"overdue-{number}", Even(number, 1.0, looked_at=-100.0))
    for wait in ("first", "second", "left", "first"):
        queue.put_first(wait, Even(1000, 10.0))
    queue.discard("left")

    assert queue.next_at(0.0) == 0.0
    assert [queue.take(0.0), queue.take(0.0)] == ["second", "first"]
    assert str(queue.take(0.0)).startswith("overdue")
    assert len(queue) == 19


def test_of_two_that_are_up_the_likelier_to_have_ended_polls_first() -> None:
    queue = queue_of([Even(0, 10), Even(1, 50), Even(2, 1), Even(3, 50)])
    polled = [queue.take(60) for _ in range(4)]
    assert polled == [0, 2, 1, 3]


@pytest.mark.parametrize("worth", [1, 4, 16, 64])
def test_one_that_has_become_worth_more_while_it_is_up_polls_first(worth: int) -> None:
    queue = queue_of([Even(0, 1), Even(1, 3), Even(2, 1)])
    assert queue.take(3.5 * worth) == 0
    assert queue.take(5.0 * worth) == 2


def test_one_that_left_does_not_poll_and_one_put_again_polls_once() -> None:
    queue = queue_of([Even(0, 10), Even(1, 10)])
    queue.discard(0)
    queue.discard(0)
    queue.put(1, Even(1, 20))
    assert queue.next_at(0) == 20
    assert [queue.take(30), queue.take(30)] == [1, None]


@settings(deadline=None)
@given(
    intervals=st.lists(st.floats(0.5, 1000), min_size=1, max_size=30),
    pace=st.floats(0.1, 20),
    unlucky=st.integers(0, 29),
)
def test_none_starves(intervals: list[float], pace: float, unlucky: int) -> None:
    """Each that is up polls within four polls for each wait, however small the budget and whatever it is worth."""
    jobs = [Even(number, interval) for number, interval in enumerate(intervals)]
    unlucky %= len(jobs)
    # Nothing is ever known of this one; the others grow worthier all the time.
    jobs[unlucky].worth = lambda now: 0.0  # type: ignore[method-assign]
    queue, now = queue_of(jobs), 0.0
    up: dict[int, int] = {}
    for poll in range(400):
        now = max(now + pace, queue.next_at(now))
        for job in jobs:
            if job.due() <= now:
                up.setdefault(job.number, poll)
        number = queue.take(now)
        assert number is not None
        assert now >= jobs[number].due()
        up.pop(number, None)
        assert all(poll - since <= 4 * len(jobs) for since in up.values())
        jobs[number].looked_at = now
        queue.put(number, jobs[number])


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from(["put", "discard", "take"])), max_size=200))
def test_it_holds_what_was_put_and_neither_taken_nor_discarded(steps: list[tuple[int, str]]) -> None:
    queue, held, now = PollQueue[int](), set[int](), 0.0
    for number, step in steps:
        now += 3
        if step == "put":
            queue.put(number, Even(number, 1 + number, now))
            held.add(number)
        elif step == "discard":
            queue.discard(number)
            held.discard(number)
        elif (taken := queue.take(now)) is not None:
            held.remove(taken)
    assert len(queue) == len(held)
    assert {queue.take(now + 1e6) for _ in range(len(held))} == held
    assert queue.take(now + 2e6) is None


def test_memory_does_not_grow_with_the_polls() -> None:
    jobs = [Even(number, 1) for number in range(20)]
    queue = queue_of(jobs)
    for second in range(20_000):
        number = queue.take(float(second + 1))
        if number is not None:
            jobs[number].looked_at = second + 1.0
            queue.put(number, jobs[number])
    heaps = [queue._coming, queue._up, queue._by_place, *queue._classes]
    assert all(len(heap._items) <= 2 * len(jobs) + 64 for heap in heaps)


def test_twenty_thousand_that_come_up_at_once_are_sorted_by_and_by() -> None:
    queue = queue_of([Even(number, 1) for number in range(20_000)])
    assert queue.take(10) is not None
    assert len(queue._by_place._items) < 1000
    assert sum(queue.take(10) is not None for _ in range(30_000)) == 19_999
