"""What ended and running jobs teach, and how much polling and waiting that saves. All time is simulated."""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airflow_video_creation.provider.errors import ConfigurationError
from airflow_video_creation.provider.waiting.job_clocks import Line
from airflow_video_creation.provider.waiting.job_durations import JobDurations, JobWatch
from airflow_video_creation.provider.waiting.life_table import LifeTable

START = 1_800_000_000.0
Report = Callable[[float], float]


def wait_for(watch: JobWatch, began: float, job: float, report: Report | None = None) -> tuple[int, float]:
    """Poll a job to its end: the polls, and the seconds until the end was noticed."""
    polls, now = 0, began
    while True:
        now, polls = watch.due(), polls + 1
        if now >= began + job:
            watch.ended(now)
            return polls, now - began - job
        watch.running(now, report((now - began) / job) if report else None)


def cost(known: JobDurations, jobs: list[float], report: Report | None = None) -> tuple[float, float]:
    """Polls a job, and polls x mean delay as a share of the mean duration: about a half for a fixed interval."""
    found = [wait_for(known.watch(START), START, job, report) for job in jobs]
    polls = sum(polls for polls, _ in found) / len(jobs)
    delay = sum(delay for _, delay in found) / len(jobs)
    return polls, polls * delay / (sum(jobs) / len(jobs))


def lognormal(sigma: float, count: int, seed: int, median: float = 300.0) -> list[float]:
    chance = random.Random(seed)
    return [median * math.exp(chance.gauss(0, sigma)) for _ in range(count)]


def looks(watch: JobWatch, until: float) -> list[float]:
    """The ages at which a job that runs on is looked at."""
    ages = []
    while (at := watch.due()) < START + until:
        ages.append(at - START)
        watch.running(at)
    return ages


@pytest.mark.parametrize(("sigma", "oracle"), [(0.3, 0.25), (0.5, 0.37)])
def test_after_200_jobs_it_is_nearly_as_good_as_one_who_knows_the_distribution(
    sigma: float, oracle: float
) -> None:
    """The oracle's figures: benchmarks/schedule.py."""
    known = JobDurations()
    cost(known, lognormal(sigma, 200, seed=1))
    polls, product = cost(known, lognormal(sigma, 1500, seed=2))
    assert 7 < polls < 9
    assert product < 1.1 * oracle


def test_useless_early_looks_are_saved_and_looks_are_dense_where_jobs_end() -> None:
    known = JobDurations()
    cost(known, lognormal(0.3, 200, seed=1))
    ages = looks(known.watch(START), 600)
    assert ages[0] > 120
    gaps = [after - before for before, after in pairwise(ages)]
    assert max(gaps[2:8]) < 35


def test_without_knowledge_the_interval_is_fixed() -> None:
    assert looks(JobDurations().watch(START), 56) == [5, 15, 25, 35, 45, 55]


def test_twice_the_polls_halve_the_delay() -> None:
    found = {}
    for polls_a_job in (5, 10):
        known = JobDurations(polls_a_job)
        cost(known, lognormal(0.3, 200, seed=1))
        found[polls_a_job], product = cost(known, lognormal(0.3, 800, seed=2))
        assert product < 0.3
    assert found[10] == pytest.approx(2 * found[5], rel=0.15)


@pytest.mark.parametrize("sigma", [0.3, 0.5])
def test_reported_progress_foretells_the_end(sigma: float) -> None:
    chance = random.Random(3)

    def noisy(share: float) -> float:
        return min(round(100 * share * chance.uniform(0.9, 1.1)), 99)

    known = JobDurations()
    cost(known, lognormal(sigma, 200, seed=1), noisy)
    assert cost(known, lognormal(sigma, 800, seed=2), noisy)[1] < 0.3 * 0.53


@pytest.mark.parametrize("report", [lambda share: 99, lambda share: 0, lambda share: min(200 * share, 99)])
def test_a_progress_that_says_nothing_does_no_harm(report: Report) -> None:
    plain, told = JobDurations(), JobDurations()
    cost(plain, lognormal(0.3, 200, seed=1))
    cost(told, lognormal(0.3, 200, seed=1), report)
    jobs = lognormal(0.3, 800, seed=2)
    assert cost(told, jobs, report)[1] < 1.03 * cost(plain, jobs)[1]


def test_it_follows_a_service_that_becomes_slower_or_faster() -> None:
    known = JobDurations()
    for seed, median in enumerate((300.0, 900.0, 100.0)):
        cost(known, lognormal(0.3, 400, seed, median))
        assert cost(known, lognormal(0.3, 300, seed + 9, median))[1] < 0.4


def test_jobs_that_still_run_count() -> None:
    """Of a hundred jobs, ten ended early: the table knows that most go on, and when."""
    table = LifeTable(1, octaves=14, stretches=8)
    for _ in range(10):
        table.add(95, 105, ended=True)
    ended_only = math.exp(-table.risk_until(200))
    for _ in range(90):
        table.add(1, 500, ended=False)
    table.learn()
    assert ended_only < 0.1
    assert math.exp(-table.risk_until(200)) == pytest.approx(0.9, abs=0.04)


def test_kinds_are_learned_apart() -> None:
    known = JobDurations()
    for _ in range(20):
        wait_for(known.watch(START, kind="storyboard"), START, 100)
    assert looks(known.watch(START, kind="render"), 16) == [5, 15]
    assert 60 < looks(known.watch(START, kind="storyboard"), 200)[0] < 100


def test_a_place_in_the_line_foretells_the_end() -> None:
    line = Line()
    places = [line.join(START, START) for _ in range(10)]
    assert line.seconds_until_done(places[9], START + 30) is None
    line.leave(places[0], START + 30)
    line.leave(places[1], START + 60)
    line.leave(places[1], START + 61)
    assert line.seconds_until_done(places[2], START + 60) == 30
    assert line.seconds_until_done(places[9], START + 60) == 8 * 30
    line.leave(places[4])
    assert line.seconds_until_done(places[9], START + 60) == 7 * 30


def test_a_job_of_some_age_is_looked_at_at_once_and_teaches_nothing_by_that() -> None:
    known = JobDurations()
    for _ in range(50):
        watch = known.watch(START, submitted_at=START - 5000)
        assert (watch.due(), watch.worth(START)) == (START, math.inf)
        watch.ended(START)
    assert looks(known.watch(START), 16) == [5, 15]


def test_an_end_that_the_service_told_is_learned_as_it_was_however_rare_the_polls() -> None:
    told, polled = JobDurations(), JobDurations()
    for number in range(200):
        for durations, ran_until in ((told, 1000.0 * number + 200), (polled, None)):
            watch = durations.watch(1000.0 * number)
            watch.running(1000.0 * number + 60)
            watch.ended(1000.0 * number + 600, ran_until)
            watch.leave()

    def next_look(durations: JobDurations) -> float:
        watch = durations.watch(1e6)
        watch.running(1e6 + 180)
        return watch.due() - 1e6

    assert 185 < next_look(told) < 205
    assert next_look(polled) > 220


def test_a_fixed_interval_is_kept_and_teaches() -> None:
    known = JobDurations()
    watch = known.watch(START, interval=7)
    assert looks(watch, 30) == [0, 7, 14, 21, 28]
    assert watch.worth(START + 28 + 14) == 2
    for _ in range(20):
        wait_for(known.watch(START, interval=7), START, 300)
    assert looks(known.watch(START), 400)[0] > 100


@pytest.mark.parametrize("polls_a_job", [1, 0, -3, math.nan, math.inf])
def test_too_few_polls_a_job_are_refused(polls_a_job: float) -> None:
    with pytest.raises(ConfigurationError, match="polls_a_job must be above 1, not"):
        JobDurations(polls_a_job)


def test_an_interval_that_would_flood_the_service_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="poll_interval must be above 0"):
        JobDurations().watch(START, interval=0)


PROGRESS = st.none() | st.floats(-10, 200) | st.sampled_from([math.nan, math.inf, 99.0, 100.0])


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.floats(-5, 10_000),
            st.lists(st.tuples(st.floats(-50, 2000), PROGRESS), max_size=6),
            st.booleans(),
        ),
        max_size=30,
    )
)
def test_whatever_jobs_and_clocks_do_the_next_look_is_neither_at_once_nor_never(
    jobs: list[tuple[float, list[tuple[float, float | None]], bool]],
) -> None:
    """Even where the clock of the machine goes back."""
    known, now = JobDurations(), START
    for age, seen, ends in jobs:
        watch = known.watch(now, submitted_at=now - age)
        for seconds, progress in seen:
            now += seconds
            watch.running(now, progress)
            assert 1 <= watch.due() - now <= 600
            assert watch.worth(now + 600) >= 0
            assert watch.due(4) >= watch.due(2) >= watch.due()
        if ends:
            watch.ended(now + 1)
        else:
            watch.leave()


def test_memory_does_not_grow_with_the_jobs() -> None:
    known = JobDurations()

    def size() -> int:
        kind = known._kinds[""]
        tables = [clock.table for clock in (kind.age, kind.progress, kind.place)]
        return sum(sys.getsizeof(value) for thing in (*tables, kind.line) for value in vars(thing).values())

    cost(known, lognormal(0.3, 100, seed=1))
    before = size()
    cost(known, lognormal(0.3, 1000, seed=2))
    assert size() <= before + 1000
