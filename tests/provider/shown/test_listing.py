"""What a plan and a summary say, as lists."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.shown.listing import MAX_LINES, plan_listing, summary_listing

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)


def test_a_dry_run_says_so_first() -> None:
    listing = plan_listing({"minutes": 0.5, "dry_run": True, "each": [{"video": "tide", "minutes": 0.5}]}, [])
    assert listing
    assert listing.headline == (
        "Dry run: nothing is sent. 1 of 1 videos are planned, about 30 s (an estimate)."
    )
    assert listing.lists == (("To make (1)", (("tide", "30 s"),)),)


def test_a_plan_of_thousands_is_cut_and_says_so() -> None:
    left_out = [{"video": f"film-{n}", "reason": "too many."} for n in range(MAX_LINES + 5)]
    listing = plan_listing({"each": []}, left_out)
    assert listing
    [(title, lines)] = listing.lists
    assert title == f"Left out ({MAX_LINES + 5})"
    assert lines[-1] == ("...", "and 5 more, in the XComs of this task")


def test_a_video_that_was_carried_over_says_from_which_run() -> None:
    listing = plan_listing({"each": [{"video": "tide", "minutes": 0.5, "left_by": "mon"}]}, [])
    assert listing is not None
    assert listing.lists[0][1][0][1].endswith(", carried over from run mon")


def test_what_is_left_out_before_it_had_a_name_is_known_by_its_address() -> None:
    result = {"headline": "Nothing.", "left_out": [{"url": "https://news/1", "reason": "no text"}]}
    listing = summary_listing(result)
    assert listing
    assert listing.lists == (("Left out (1)", (("https://news/1", "no text"),)),)


@given(
    JSON, JSON, st.fixed_dictionaries({"headline": st.text()}, optional={"videos": JSON, "failures": JSON})
)
def test_what_people_wrote_there_instead_is_passed_over(estimate: Any, left_out: Any, result: Any) -> None:
    for listing in (plan_listing(estimate, left_out), summary_listing(estimate), summary_listing(result)):
        for _, lines in listing.lists if listing else ():
            assert all(isinstance(name, str) and isinstance(text, str) for name, text in lines)
