"""What becomes of a submission in doubt: the table, row by row and at random."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.submission.doubt.listed_jobs import ListedJob
from airflow_video_creation.provider.submission.doubt.settlement import GRACE, settle
from airflow_video_creation.provider.submission.doubt.sought import Sought

from .samples import (
    BY_MARK,
    BY_NAME,
    LATER,
    OLD,
    OTHERS,
    OWN,
    RENDER,
    SENT,
    YESTERDAYS,
    job,
    seen,
    settled,
)


@pytest.mark.parametrize(
    ("sought", "jobs", "told", "outcome"),
    [
        (BY_NAME, [job()], {}, "there"),
        (BY_NAME, [job()], {"now": SENT + GRACE - 1}, "wait"),
        (BY_NAME, [job(), job(job_id="j-2")], {}, "unknown"),
        (BY_NAME, [job(), job(job_id="j-2", kind=None)], {}, "unknown"),
        (BY_NAME, [job(), job(job_id="j-2", name="Night 2")], {}, "there"),
        (BY_NAME, [job(name="Night 2")], {}, "unknown"),
        (BY_NAME, [job(job_id=None)], {}, "unknown"),
        (BY_NAME, [job()], {"ahead": None}, "unknown"),
        (BY_NAME, [job()], {"is_whole": False}, "unknown"),
        (BY_NAME, [job(), OLD], {"is_whole": False}, "there"),
        (BY_NAME, [], {}, "not there"),
        (BY_NAME, [], {"now": SENT + GRACE - 1}, "wait"),
        (BY_NAME, [], {"ahead": None}, "unknown"),
        (BY_NAME, [], {"is_whole": False}, "unknown"),
        (BY_NAME, [OLD], {"is_whole": False}, "unknown"),
        (BY_NAME, [OLD, YESTERDAYS], {"is_whole": False}, "not there"),
        (BY_NAME, [job(name="Day")], {}, "not there"),
        (BY_NAME, [job(name="Day")], {"is_whole": False}, "unknown"),
        (BY_MARK, [job(marker=OWN)], {"now": SENT + 1, "ahead": None, "is_whole": False}, "there"),
        (BY_MARK, [job(marker=OWN), job(job_id="j-2", marker=OWN)], {}, "unknown"),
        (BY_MARK, [job(marker=OTHERS)], {}, "not there"),
        (BY_MARK, [job()], {}, "unknown"),
        (RENDER, [job(kind="render"), job(job_id="j-2", kind="render", name="Day")], {}, "there"),
        (RENDER, [job(kind="render", name="Day")], {}, "unknown"),
    ],
)
def test_what_comes_of_all_of_them(
    sought: Sought, jobs: list[ListedJob], told: dict[str, Any], outcome: str
) -> None:
    found = settled(sought, *jobs, **told)
    assert found.outcome == outcome
    assert found.job_id == ("j-1" if outcome == "there" else None)


@pytest.mark.parametrize("ahead", [-7200.0, 0.0, 7200.0])
def test_the_services_clock_is_what_counts(ahead: float) -> None:
    ours, before = job(at=SENT + ahead + 1), job(job_id="j-0", at=SENT + ahead - 300)
    assert settled(BY_NAME, ours, before, ahead=ahead).job_id == "j-1"


def test_a_list_that_is_sorted_from_old_to_new_does_not_reach_back() -> None:
    older = [replace(OLD, job_id=f"old-{index}", at=SENT - 90000 + index) for index in range(50)]
    assert settled(BY_NAME, *older, is_whole=False).outcome == "unknown"
    assert settled(BY_NAME, *reversed(older), is_whole=False).outcome == "not there"


@pytest.mark.parametrize(
    "listed",
    [
        [YESTERDAYS],
        [YESTERDAYS, replace(YESTERDAYS, job_id="older-2")],
        [YESTERDAYS, replace(YESTERDAYS, job_id="older-2", at=SENT - 86000)],
    ],
    ids=["one job", "jobs of one second", "the older one first"],
)
def test_jobs_that_do_not_show_an_order_do_not_reach_back(listed: list[ListedJob]) -> None:
    """The list may be sorted from old to new, with the sought job on its last page."""
    assert settled(BY_NAME, *listed, is_whole=False).outcome == "unknown"


@pytest.mark.parametrize("behind", [90.0, 230.0, 600.0, 1800.0, 5 * 3600.0, 12 * 3600.0])
@pytest.mark.parametrize("is_whole", [True, False])
def test_a_job_is_not_called_missing_for_the_clock_of_a_database(behind: float, is_whole: bool) -> None:
    """It may be slow, or write its local time as UTC."""
    own, other = job(at=SENT + 1 - behind), replace(OLD, at=SENT - behind - 600)
    assert settled(BY_NAME, own, other, is_whole=is_whole).outcome == "unknown"


def test_a_page_of_a_slow_clock_does_not_reach_back() -> None:
    """All that it shows may have been made after the submission: five hours later than it says."""
    later = [replace(OLD, job_id=f"later-{index}", at=SENT - 5 * 3600 - index) for index in range(9)]
    assert settled(BY_NAME, *later, is_whole=False).outcome == "unknown"


@pytest.mark.parametrize(
    ("at", "outcome"),
    [(SENT - 600, "unknown"), (SENT - 13 * 3600, "unknown"), (SENT - 15 * 3600, "not there")],
)
def test_an_earlier_job_of_the_same_name_is_no_proof_while_the_list_shows_no_clock(
    at: float, outcome: str
) -> None:
    earlier = job(at=at)
    assert settled(BY_NAME, earlier).outcome == outcome
    assert settled(BY_NAME, job(job_id="j-2", name="Day"), earlier).outcome == "not there"


@pytest.mark.parametrize(
    ("jobs", "may_change"),
    [
        ([job(kind=None)], True),
        ([job(kind=None), job(job_id="j-2", at=None)], False),
        ([job(kind=None, job_id=None)], False),
        ([job(at=None)], False),
    ],
)
def test_a_later_look_may_settle_what_has_no_kind_yet(jobs: list[ListedJob], may_change: bool) -> None:
    """A job of a list without kinds shows its own once it has made something."""
    found = settled(BY_NAME, *jobs)
    assert (found.outcome, found.may_change) == ("unknown", may_change)


def test_no_job_is_given_to_two_submissions() -> None:
    both = settle([BY_NAME, BY_NAME], seen(job()), LATER)
    assert {each.outcome for each in both} == {"unknown"}


LISTED = st.builds(
    ListedJob,
    st.one_of(st.none(), st.sampled_from(["j-1", "j-2", "j-3"])),
    st.sampled_from([None, "Night", "night", "Day", "Nig"]),
    st.sampled_from([None, "storyboard", "render"]),
    st.one_of(st.none(), st.floats(SENT - 9000, SENT + 9000)),
    st.booleans(),
    st.sampled_from([None, "text", OTHERS]),
)

LISTS = st.lists(LISTED, max_size=6)

TOLD = {
    "now": st.floats(SENT, LATER),
    "is_whole": st.booleans(),
    "ahead": st.one_of(st.none(), st.floats(-9000, 9000)),
}


@given(
    jobs=LISTS,
    told=st.fixed_dictionaries(TOLD),
    sought=st.sampled_from([BY_MARK, replace(BY_MARK, name=None)]),
)
def test_with_a_mark_nobody_elses_job_is_ever_taken(jobs: Any, told: Any, sought: Sought) -> None:
    assert settled(sought, *jobs, **told).outcome != "there"


@given(
    jobs=LISTS,
    told=st.fixed_dictionaries(TOLD),
    place=st.integers(0, 6),
    shows=st.sampled_from([OWN, f"{OWN} text", None, "cut off [vc:s-01"]),
    name=st.sampled_from(["Night", " night", "night.mp4", "Preview of Night", "Nig", None]),
    kind=st.sampled_from([None, "storyboard"]),
    sought=st.sampled_from([BY_NAME, BY_MARK]),
)
def test_while_its_job_is_listed_it_is_never_called_missing(
    jobs: Any, told: Any, place: int, shows: Any, name: Any, kind: Any, sought: Sought
) -> None:
    """However badly the list shows it: to submit would be to pay twice."""
    own = ListedJob("own", name, kind, SENT + (told["ahead"] or 0.0) + 1, marker=shows)
    assert settled(sought, *jobs[:place], own, *jobs[place:], **told).outcome != "not there"
