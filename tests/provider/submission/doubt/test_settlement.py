"""Which job of the service's list is that of a submission in doubt: the table, row by row and at random."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.submission.doubt.likeness import likeness
from airflow_video_creation.provider.submission.doubt.listed_jobs import JobPage, ListedJob
from airflow_video_creation.provider.submission.doubt.seen_jobs import SeenJobs
from airflow_video_creation.provider.submission.doubt.settlement import GRACE, Settled, settle
from airflow_video_creation.provider.submission.doubt.sought import Sought, name_in
from airflow_video_creation.provider.submission.identity.mark import mark
from airflow_video_creation.provider.submission.identity.sent_identity import Identity
from airflow_video_creation.provider.submission.record import Submission
from airflow_video_creation.provider.submission.request_digests import digests_of
from airflow_video_creation.provider.submission.subject import Subject

SENT = 1_000_000.0
LATER = SENT + 3600
KEY, OTHER_KEY = "0123456789abcdef" * 2, "fedcba9876543210" * 2
OWN, OTHERS = mark("storyboard", KEY), mark("storyboard", OTHER_KEY)
BY_NAME = Sought(
    "storyboard", SENT, SENT, SENT, name="Night", digests=digests_of({"videoName": "Night", "speed": 100})
)
BY_MARK = replace(BY_NAME, mark=OWN)
RENDER = Sought("render", SENT, SENT, SENT, name="Night")
OLD = ListedJob("old", "Older", "storyboard", SENT - 3600)


def job(**told: Any) -> ListedJob:
    return ListedJob(**{"job_id": "j-1", "name": "Night", "kind": "storyboard", "at": SENT + 1} | told)


def seen(*jobs: ListedJob, is_whole: bool = True, ahead: float | None = 0.0) -> SeenJobs:
    return SeenJobs(jobs, is_whole, ahead)


def settled(sought: Sought, *jobs: ListedJob, now: float = LATER, **told: Any) -> Settled:
    [found] = settle([sought], seen(*jobs, **told), now)
    return found


@pytest.mark.parametrize(
    ("sought", "told", "is_like"),
    [
        (BY_MARK, {"marker": f"text {OWN}"}, "ours"),
        (BY_MARK, {"marker": OWN, "kind": None, "name": None, "at": None}, "ours"),
        (BY_MARK, {"marker": f"{OTHERS} {OWN}"}, "ours"),
        (BY_MARK, {"marker": OWN, "kind": "render"}, "maybe"),
        (BY_MARK, {"marker": OTHERS}, "foreign"),
        (BY_MARK, {"marker": mark("render", OTHER_KEY)}, "maybe"),
        (BY_MARK, {"marker": "text"}, "maybe"),
        (BY_MARK, {}, "maybe"),
        (BY_MARK, {"marker": "text", "name": "Day"}, "foreign"),
        (BY_MARK, {"name": None}, "maybe"),
        (BY_NAME, {}, "ours"),
        (BY_NAME, {"fields": {"videoName": "Night", "speed": 100}}, "ours"),
        (BY_NAME, {"fields": {"videoName": "Night", "speed": 90}}, "maybe"),
        (BY_NAME, {"kind": None}, "maybe"),
        (BY_NAME, {"kind": "render"}, "foreign"),
        (BY_NAME, {"name": "Day"}, "foreign"),
        (BY_NAME, {"name": "NIGHT"}, "maybe"),
        (BY_NAME, {"name": None}, "maybe"),
        (BY_NAME, {"marker": OTHERS}, "foreign"),
        (BY_NAME, {"at": None}, "maybe"),
        (BY_NAME, {"at": SENT - 59}, "ours"),
        (BY_NAME, {"at": SENT - 61}, "foreign"),
        (BY_NAME, {"at": SENT + 599}, "ours"),
        (BY_NAME, {"at": SENT + 601}, "maybe"),
        (BY_NAME, {"has_zone": False}, "maybe"),
        (BY_NAME, {"has_zone": False, "at": SENT - 13 * 3600}, "maybe"),
        (BY_NAME, {"has_zone": False, "at": SENT - 15 * 3600}, "foreign"),
        (replace(BY_NAME, taken={"j-1"}), {}, "foreign"),
        (RENDER, {"kind": "render"}, "ours"),
        (RENDER, {"kind": "render", "name": "Day"}, "unlikely"),
        (RENDER, {"kind": "render", "name": None}, "maybe"),
        (RENDER, {}, "foreign"),
    ],
)
def test_what_a_listed_job_is(sought: Sought, told: dict[str, Any], is_like: str) -> None:
    assert likeness(job(**told), sought, seen(job(**told))) == is_like


@pytest.mark.parametrize(
    ("listed", "others", "is_like"),
    [("Epis", "Older", "foreign"), ("Epis", "Old", "maybe"), ("Epis…", "Much older", "maybe")],
)
def test_a_name_may_be_the_beginning_only_where_the_list_cuts_names_off(
    listed: str, others: str, is_like: str
) -> None:
    sought = replace(BY_NAME, name="Episode 10")
    listed_job = job(name=listed)
    assert likeness(listed_job, sought, seen(listed_job, job(job_id="j-2", name=others))) == is_like


@pytest.mark.parametrize(
    ("sought", "jobs", "told", "outcome"),
    [
        (BY_NAME, [job()], {}, "there"),
        (BY_NAME, [job()], {"now": SENT + GRACE - 1}, "wait"),
        (BY_NAME, [job(), job(job_id="j-2")], {}, "unknown"),
        (BY_NAME, [job(), job(job_id="j-2", kind=None)], {}, "unknown"),
        (BY_NAME, [job(job_id=None)], {}, "unknown"),
        (BY_NAME, [job()], {"ahead": None}, "unknown"),
        (BY_NAME, [job()], {"is_whole": False}, "unknown"),
        (BY_NAME, [job(), OLD], {"is_whole": False}, "there"),
        (BY_NAME, [], {}, "not there"),
        (BY_NAME, [], {"now": SENT + GRACE - 1}, "wait"),
        (BY_NAME, [], {"ahead": None}, "unknown"),
        (BY_NAME, [], {"is_whole": False}, "unknown"),
        (BY_NAME, [OLD], {"is_whole": False}, "not there"),
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
    older = [replace(OLD, job_id=f"old-{index}", at=SENT - 9000 + index) for index in range(50)]
    assert settled(BY_NAME, *older, is_whole=False).outcome == "unknown"
    assert settled(BY_NAME, *reversed(older), is_whole=False).outcome == "not there"


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
    name=st.sampled_from(["Night", " night", None]),
    kind=st.sampled_from([None, "storyboard"]),
    sought=st.sampled_from([BY_NAME, BY_MARK]),
)
def test_while_its_job_is_listed_it_is_never_called_missing(
    jobs: Any, told: Any, place: int, shows: Any, name: Any, kind: Any, sought: Sought
) -> None:
    """However badly the list shows it: to submit would be to pay twice."""
    own = ListedJob("own", name, kind, SENT + (told["ahead"] or 0.0) + 1, marker=shows)
    assert settled(sought, *jobs[:place], own, *jobs[place:], **told).outcome != "not there"


def page(*jobs: ListedJob, is_last: bool = False, served_at: float | None = SENT) -> JobPage:
    return JobPage(jobs, is_last, served_at=served_at)


def test_a_job_that_moves_to_the_next_page_is_one_job() -> None:
    both = SeenJobs().with_page(page(job()), SENT).with_page(page(job(), OLD, is_last=True), SENT)
    assert [each.job_id for each in both.jobs] == ["j-1", "old"]
    assert both.is_whole


def test_a_service_that_gives_the_same_page_again_has_not_shown_all() -> None:
    again = SeenJobs().with_page(page(job()), SENT).with_page(page(job(), is_last=True), SENT)
    assert not again.is_whole


def test_an_empty_last_page_ends_the_list() -> None:
    assert SeenJobs().with_page(page(job()), SENT).with_page(page(is_last=True), SENT).is_whole


def test_a_page_that_does_not_tell_the_time_makes_it_unknown() -> None:
    told = SeenJobs().with_page(page(job()), SENT)
    assert told.ahead == 0.0
    assert told.with_page(page(OLD, served_at=None), SENT).ahead is None


@pytest.mark.parametrize("name", ["Night", "it's", 'a "b"', "é\n"])
def test_the_name_that_was_sent_stands_in_the_record(name: str) -> None:
    assert name_in(Subject("video", name).text) == name


@pytest.mark.parametrize("subject", [None, "", "video", "storyboard job 'j-1'", "video Night", "video 5"])
def test_of_other_subjects_no_name_is_taken(subject: str | None) -> None:
    assert name_in(subject) is None


RECORD = Submission(
    1,
    "intent",
    SENT,
    SENT,
    subject="video 'Night'",
    identity=Identity(KEY, "c", "p", marker="videoDescription"),
)


def test_what_is_sought_of_a_record() -> None:
    sought = Sought.of(RECORD, "storyboard", marker_field="videoDescription")
    assert sought
    assert (sought.mark, sought.name) == (OWN, "Night")


@pytest.mark.parametrize("record", [replace(RECORD, identity=None), replace(RECORD, begun_at=0.0)])
def test_of_a_record_that_tells_nothing_nothing_is_sought(record: Submission) -> None:
    assert Sought.of(record, "storyboard", marker_field=None) is None


def test_a_mark_in_another_field_is_not_looked_for() -> None:
    sought = Sought.of(RECORD, "storyboard", marker_field="title")
    assert sought
    assert sought.mark is None
    assert Sought.of(RECORD, "render", marker_field="title") is None
