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
from airflow_video_creation.provider.submission.request_digests import digest_of, digests_of
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
YESTERDAYS = ListedJob("older", "Older", "storyboard", SENT - 86400)


def job(**told: Any) -> ListedJob:
    return ListedJob(**{"job_id": "j-1", "name": "Night", "kind": "storyboard", "at": SENT + 1} | told)


def seen(*jobs: ListedJob, is_whole: bool = True, ahead: float | None = 0.0) -> SeenJobs:
    """A list that answered right after the submission was sent, so that a job of that time shows its clock."""
    return SeenJobs(jobs, is_whole, ahead, None if ahead is None else SENT + ahead + 10)


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
        (BY_NAME, {"at": SENT - 61}, "maybe"),
        (BY_NAME, {"at": SENT - 239}, "maybe"),
        (BY_NAME, {"at": SENT - 241}, "earlier"),
        (BY_NAME, {"at": SENT - 15 * 3600}, "foreign"),
        (BY_NAME, {"at": SENT - 241, "name": "Day"}, "foreign"),
        (RENDER, {"at": SENT - 241, "kind": "render", "name": "Day"}, "foreign"),
        (RENDER, {"kind": "render", "name": "render of Night"}, "unlikely"),
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


NAMES = {
    "escaped": "Tom &amp; Jerry\u2019s night",
    "escaped twice": "Tom &amp;amp; Jerry&#8217;s night",
    "quoted": "Tom%20%26%20Jerry%E2%80%99s%20night",
    "a slug": "tom-and-jerry-s-night",
    "a slug without the sign": "tom-jerrys-night",
    "a file": "Tom & Jerry\u2019s night.mp4",
    "numbered": "Tom & Jerry\u2019s night (2)",
    "with a word before": "Preview of Tom & Jerry\u2019s night",
    "straight quotes": "Tom & Jerry's night",
    "only ASCII": "Tom & Jerrys night",
    "a question mark": "Tom & Jerry?s night",
    "cut off": "Tom & Jer",
    "cut off in the middle": "Tom & Je\u2026s night",
    "capitals": "TOM & JERRY\u2019S NIGHT",
}


@pytest.mark.parametrize("listed", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("sought", [BY_NAME, BY_MARK], ids=["by name", "by mark"])
def test_a_name_that_is_written_otherwise_may_be_the_sought_one(sought: Sought, listed: str) -> None:
    named = replace(sought, name="Tom & Jerry\u2019s night")
    assert settled(named, job(name=listed)).outcome == "unknown"


@pytest.mark.parametrize(
    ("sent", "listed"),
    [
        ("Nacht \xfcber K\xf6ln \U0001f3ac", "Nacht ber Kln "),
        ("Nacht \xfcber K\xf6ln", "Nacht ueber Koeln"),
        ("Nacht \xfcber K\xf6ln", "Nacht uber Koln"),
        ("05", "5"),
        ("\u591c\u306e\u68ee", "Yoru no mori"),
        ("Night", "\u591c"),
        ("Episode 10", "Epis"),
    ],
)
def test_a_name_that_has_lost_letters_may_be_the_sought_one(sent: str, listed: str) -> None:
    assert likeness(job(name=listed), replace(BY_NAME, name=sent), seen()) == "maybe"


@pytest.mark.parametrize(
    "fields",
    [
        {"displayName": "Night"},
        {"request": {"videoName": "Night"}},
        {"input": [{"payload": '{"videoName": "Night"}'}]},
        {"output": "https://video.example.com/o/night.mp4"},
    ],
)
def test_the_name_may_stand_anywhere_in_the_entry(fields: dict[str, Any]) -> None:
    assert likeness(job(name="worker-7", fields=fields), BY_NAME, seen()) == "maybe"


@pytest.mark.parametrize("listed", ["Day", "Morning", "Knit", "worker-7", "projects/p/jobs/1"])
def test_a_video_with_clearly_another_name_is_anothers(listed: str) -> None:
    told = {"name": listed, "fields": {"status": "running", "kind": "storyboard"}}
    assert likeness(job(**told), BY_NAME, seen()) == "foreign"
    assert likeness(job(**told, is_video_name=False), BY_NAME, seen()) == "maybe"


AUTHORS = f"A remake of this {OTHERS}"
COPIED = replace(BY_MARK, written=digest_of(AUTHORS))


@pytest.mark.parametrize(
    ("shown", "is_like"),
    [
        (f"{AUTHORS} {OWN}", "ours"),
        (AUTHORS, "maybe"),
        (f"{AUTHORS} [vc:s-01", "maybe"),
        (f"{AUTHORS} with more of all that", "maybe"),
        (f"{AUTHORS} {mark('storyboard', 'a' * 32)}", "foreign"),
        (f"{OWN} was the first one {OTHERS}", "maybe"),
    ],
)
def test_a_mark_that_the_author_has_copied_tells_nothing(shown: str, is_like: str) -> None:
    assert likeness(job(marker=shown), COPIED, seen()) == is_like


def test_what_the_author_wrote_where_the_mark_stands_is_known_from_the_record() -> None:
    record = replace(RECORD, digests=digests_of({"videoDescription": AUTHORS}))
    sought = Sought.of(record, "storyboard", marker_field="videoDescription")
    assert sought
    assert sought.written == COPIED.written


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


def page(*jobs: ListedJob, is_last: bool = False, served_at: float | None = SENT) -> JobPage:
    return JobPage(jobs, is_last, served_at=served_at)


def test_a_job_that_moves_to_the_next_page_is_one_job() -> None:
    both = SeenJobs().with_page(page(job()), SENT).with_page(page(job(), OLD, is_last=True), SENT)
    assert [each.job_id for each in both.jobs] == ["j-1", "old"]
    assert both.is_whole


def test_a_service_that_gives_the_same_page_again_has_not_shown_all() -> None:
    again = SeenJobs().with_page(page(job()), SENT).with_page(page(job(), is_last=True), SENT)
    assert not again.is_whole


def test_a_list_that_counts_more_than_it_has_shown_is_not_whole() -> None:
    first = SeenJobs().with_page(replace(page(job()), total=3), SENT)
    assert not first.with_page(replace(page(OLD, is_last=True), total=3), SENT).is_whole
    assert first.with_page(replace(page(OLD, YESTERDAYS, is_last=True), total=3), SENT).is_whole


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
