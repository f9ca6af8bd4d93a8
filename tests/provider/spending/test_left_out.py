"""What was left out, as a person counts it."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.spending.left_out import in_brackets, kind_of, worst_first


@pytest.mark.parametrize("item", [{}, {"kind": "of a later release"}, {"kind": None}, {"kind": []}])
def test_what_is_not_told_counts_as_wrong(item: Any) -> None:
    assert kind_of(item) == "wrong"


def test_what_a_person_must_mend_comes_first_and_the_rest_keeps_its_order() -> None:
    items = [{"kind": kind, "n": n} for n, kind in enumerate(["other", "limit", "wrong", "limit", "later"])]

    assert [item["n"] for item in worst_first(items)] == [2, 1, 3, 4, 0]
    assert in_brackets(items) == " (1 wrong, 2 over a limit, 1 for the next run, 1 perhaps not this run's)"


def test_nothing_needs_no_reason() -> None:
    assert in_brackets([]) == ""
