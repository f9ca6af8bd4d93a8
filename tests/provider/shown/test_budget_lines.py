"""What is left of a budget stands on the page of the run that planned with it."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.shown.budget_lines import budget_lines, carried_line

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


def test_the_dags_that_have_taken_it_are_named() -> None:
    [(_, used)] = budget_lines({"budgets": [DAY | {"by_dag": {"news": 7.5, "sport": 2.5, "odd": None}}]})
    assert "other runs hold 10.0 (news 7.5, sport 2.5), this run 8.0" in used


def test_a_line_says_what_was_carried_over_and_from_which_runs() -> None:
    each = [{"video": "a", "left_by": "mon"}, {"video": "b", "left_by": "mon"}, {"video": "c"}, 5]
    assert carried_line({"each": each}) == [("carried over", "2 of 3 videos, from mon")]


@pytest.mark.parametrize("estimate", [None, {}, {"each": 5}, {"each": [{"video": "a"}]}])
def test_a_plan_of_its_own_videos_alone_has_no_such_line(estimate: Any) -> None:
    assert carried_line(estimate) == []


@pytest.mark.parametrize("estimate", [None, [], {}, {"budgets": None}, {"budgets": [1, None]}])
def test_a_plan_without_budgets_has_no_line(estimate: Any) -> None:
    assert budget_lines(estimate) == []


@pytest.mark.parametrize(
    "odd", [{}, {"left": float("nan"), "minutes": 1}, DAY | {"name": 5, "left": 10**400}]
)
def test_whatever_people_write_there_breaks_no_page(odd: Any) -> None:
    assert len(budget_lines({"budgets": [odd]})) == 1
