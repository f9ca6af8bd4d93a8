"""When requests may go, under every way of counting that a service may have."""

from __future__ import annotations

from bisect import bisect_left

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.errors import ConfigurationError
from airflow_video_creation.provider.waiting.request_budget import RequestBudget

START = 1_800_000_000.0


def sent(budget: RequestBudget, since: float, until: float) -> list[float]:
    """When the requests of a process go that always has more to ask."""
    times, now = [], since
    while (now := budget.next_at(now)) < until:
        budget.take(now)
        times.append(now)
    return times


@given(limit=st.integers(1, 300), rests=st.lists(st.floats(0, 200), max_size=5))
def test_no_minute_sees_more_than_the_limit_wherever_it_begins(limit: int, rests: list[float]) -> None:
    budget, now, times = RequestBudget(limit), START, []
    for rest in [*rests, 0]:
        times += sent(budget, now + rest, now + rest + 90)
        now += rest + 90
    for first, begin in enumerate(times):
        assert bisect_left(times, begin + 60) - first <= limit


@pytest.mark.parametrize(("limit", "used"), [(60, 57), (600, 570), (2, 1)])
def test_a_busy_process_uses_nearly_all_of_it(limit: int, used: int) -> None:
    assert len(sent(RequestBudget(limit), START, START + 599)) == pytest.approx(10 * used, rel=0.06)


def test_a_few_go_at_once_after_a_rest() -> None:
    budget = RequestBudget(600)
    assert len(sent(budget, START, START + 0.01)) == 30
    assert len(sent(budget, START + 0.01, START + 1)) <= 10


def test_what_is_left_goes_down_and_comes_back_and_is_nothing_in_a_pause() -> None:
    budget = RequestBudget(600)
    assert budget.left(0.0) == 30
    for _ in range(10):
        budget.take(0.0)
    assert budget.left(0.0) == pytest.approx(20)
    assert budget.left(60.0) == 30
    budget.limited(60.0, 20.0)
    assert budget.left(79.0) == 0


def test_a_429_pauses_all_requests_for_as_long_as_it_says() -> None:
    budget = RequestBudget(60)
    budget.limited(START, 40)
    budget.limited(START + 1, 10)
    assert budget.next_at(START + 2) == START + 40
    assert budget.next_at(START + 40) == START + 40
    budget.take(START + 40)
    assert budget.next_at(START + 40) > START + 41


@pytest.mark.parametrize("retry_after", [None, 0.0, -5.0])
def test_a_429_that_says_no_sensible_time_is_kept_too(retry_after: float | None) -> None:
    budget = RequestBudget(60)
    budget.limited(START, retry_after)
    assert budget.next_at(START) == (START + 5 if retry_after is None else START)
    assert budget.rate(START) < RequestBudget(60).rate(START)


def test_the_rate_is_cut_once_a_minute_and_comes_back_evenly() -> None:
    budget = RequestBudget(60)
    full = budget.rate(START)
    for second in range(5):
        budget.limited(START + second, 1)
    assert budget.rate(START) == pytest.approx(0.7 * full)
    gains = [budget.rate(START + 60 * (n + 1)) - budget.rate(START + 60 * n) for n in range(19)]
    assert gains == pytest.approx([0.015 * full] * 19)
    assert budget.rate(START + 3600) == full


def test_a_storm_leaves_a_rate_to_come_back_from() -> None:
    budget = RequestBudget(60)
    for minute in range(1000):
        budget.limited(START + 61 * minute, 1)
    assert 0.02 < budget.rate(START + 61 * 1000) / budget.rate(START + 1e6) < 0.1


def test_processes_that_know_nothing_of_each_other_come_to_equal_shares() -> None:
    """They begin unequally: two of them when the first has all."""
    budgets, begins = [RequestBudget(60) for _ in range(3)], [0.0, 1800.0, 3600.0]
    window, used, refused, asked, shares = 0, 0, 0, 0, [0, 0, 0]
    for tick in range(0, 4 * 3600 * 10):
        now = tick / 10
        for process, budget in enumerate(budgets):
            if now < begins[process] or budget.next_at(now) > now:
                continue
            budget.take(now)
            asked += 1
            if int(now // 60) != window:
                window, used = int(now // 60), 0
            used += 1
            if used > 60:
                refused += 1
                budget.limited(now, 60 - now % 60)
            elif now > 2 * 3600:
                shares[process] += 1
    assert max(shares) < 1.2 * min(shares)
    assert sum(shares) > 120 * 50
    assert refused < 0.02 * asked


@pytest.mark.parametrize("limit", [0, -1, float("nan"), float("inf")])
def test_a_budget_that_is_none_is_refused(limit: float) -> None:
    with pytest.raises(ConfigurationError, match="requests_per_minute must be above 0, not"):
        RequestBudget(limit)
