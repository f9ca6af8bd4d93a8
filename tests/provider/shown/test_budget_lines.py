"""What is left of a budget stands on the page of the run that planned with it."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.shown.budget_lines import budget_lines

DAY = {
    "name": "max_minutes_per_day",
    "minutes": 30,
    "period": "2026-11-22",
    "other_runs": 10.0,
    "this_run": 8.0,
    "left": 12.0,
}


def test_a_line_says_what_is_left_and_who_has_taken_the_rest() -> None:
    assert budget_lines({"budgets": [DAY]}) == [
        (
            "max_minutes_per_day",
            "12.0 of 30 minutes of 2026-11-22 were left: other runs hold 10.0, this run 8.0",
        )
    ]


@pytest.mark.parametrize("estimate", [None, [], {}, {"budgets": None}, {"budgets": [1, None]}])
def test_a_plan_without_budgets_has_no_line(estimate: Any) -> None:
    assert budget_lines(estimate) == []


@pytest.mark.parametrize(
    "odd", [{}, {"left": float("nan"), "minutes": 1}, DAY | {"name": 5, "left": 10**400}]
)
def test_whatever_people_write_there_breaks_no_page(odd: Any) -> None:
    assert len(budget_lines({"budgets": [odd]})) == 1
