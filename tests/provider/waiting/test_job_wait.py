"""One wait for one job: the table of ``job_wait`` row by row, its deadline, and what it logs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from airflow_video_creation.provider import errors
from airflow_video_creation.provider.errors import VideoCreationError
from airflow_video_creation.provider.models import Job
from airflow_video_creation.provider.waiting import job_wait
from airflow_video_creation.provider.waiting.job_wait import JobWait
from airflow_video_creation.provider.waiting.schedule import PollSchedule

START = 1_800_000_000.0
DAY = 24 * 3600.0
Poll = Callable[[JobWait, float], Any]


def job(state: Any, kind: str = "") -> Poll:
    def poll(wait: JobWait, now: float) -> Any:
        wait.kind = kind
        return wait.after_job(Job(job_id="j-1", state=state), now)

    return poll


def failing(kind: type[VideoCreationError], **fields: Any) -> Poll:
    return lambda wait, now: wait.after_error(kind("Something happened.", **fields), now)


def deadline(wait: JobWait, now: float) -> None:
    wait.deadline = now
    wait.check_deadline(now)


FOREVER = 1000 * DAY
ROWS: dict[str, list[tuple[Poll, float, Any]]] = {
    # what polls say -> for how many seconds the wait goes on, and how it ends after that
    "in-progress, or an unknown state word": [(job("in-progress"), FOREVER, None)],
    "completed": [(job("completed"), 0, Job(job_id="j-1", state="completed"))],
    "completed, without its result": [
        (job("completed", "storyboard"), 60, Job(job_id="j-1", state="completed"))
    ],
    "failed": [(job("failed"), 0, errors.JobFailedError)],
    "a failure, and not the state failed": [(failing(errors.ReportedFailureError), 0, None)],
    "cleaned (result purged)": [(job("cleaned"), 0, errors.JobResultPurgedError)],
    "the service does not know the job": [(failing(errors.NotFoundError), 60, errors.JobLostError)],
    "429, 5xx, no connection, no answer": [
        (failing(errors.RateLimitedError), FOREVER, None),
        (failing(errors.ServiceFailureError), FOREVER, None),
        (failing(errors.ServiceUnreachableError), FOREVER, None),
    ],
    "an answer that cannot be read": [
        (failing(errors.UnreadableReplyError), 600, errors.UnreadableReplyError)
    ],
    "401 (after one fresh token), 403": [
        (failing(errors.AuthenticationError), 60, errors.AuthenticationError),
        (failing(errors.PermissionDeniedError), 60, errors.PermissionDeniedError),
    ],
    "Airflow gives no such connection": [
        (failing(errors.ConnectionMissingError), 60, errors.ConnectionMissingError)
    ],
    "more than is read here": [(failing(errors.JobReplyTooLargeError), 0, errors.JobReplyTooLargeError)],
    "another refusal, a wrong connection": [
        (failing(errors.RequestRefusedError), 0, errors.RequestRefusedError),
        (failing(errors.ConfigurationError), 0, errors.ConfigurationError),
    ],
    "the deadline is over": [(deadline, 0, errors.JobDeadlinePassedError)],
}
LABELS = [
    line.strip("|").split("|")[0].strip()
    for line in (job_wait.__doc__ or "").splitlines()
    if line.startswith("|")
][2:]


def test_the_table_is_whole() -> None:
    assert list(ROWS) == LABELS


@pytest.mark.parametrize(
    ("poll", "goes_on", "end"),
    [
        pytest.param(*row, id=f"{label}-{index}")
        for label, rows in ROWS.items()
        for index, row in enumerate(rows)
    ],
)
def test_each_row(poll: Poll, goes_on: float, end: Any) -> None:
    wait = JobWait("j-1", started_at=START)
    if goes_on:
        for now in (START, START + goes_on / 2, START + goes_on):
            assert not isinstance(poll(wait, now), Job)
    if isinstance(end, Job):
        assert poll(wait, START + goes_on + 1) == end
    elif end:
        with pytest.raises(end):
            poll(wait, START + goes_on + 1)


@pytest.mark.parametrize("kind", [errors.UnreadableReplyError, errors.AuthenticationError])
def test_a_trouble_is_tolerated_in_a_row_only(kind: type[VideoCreationError]) -> None:
    wait = JobWait("j-1", started_at=START)
    for begin in (START, START + 1000, START + 2000):
        failing(kind)(wait, begin)
        failing(kind)(wait, begin + 50)
        job("in-progress")(wait, begin + 55)
    failing(kind)(wait, START + 3000)
    failing(errors.ServiceFailureError)(wait, START + 4000)
    failing(kind)(wait, START + 5000)


REPORTED = failing(errors.ReportedFailureError, code="E7", service_message="Font not found (request 17)")
REPORTED_AGAIN = failing(
    errors.ReportedFailureError, code="E7", service_message="Font not found (request 18)"
)


def test_a_reported_failure_is_believed_at_its_third_read_in_a_row_after_30_s() -> None:
    wait = JobWait("j-1", started_at=START, schedule=PollSchedule(600))
    assert "Still waiting for job j-1" in REPORTED(wait, START)
    assert wait.doubts_failure
    assert wait.seconds_to_next_poll(START) == 15
    REPORTED_AGAIN(wait, START + 15)
    with pytest.raises(
        errors.JobFailedError,
        match=r"treated as failed. For 30 s .* without a state of the job: E7: Font not found",
    ) as caught:
        REPORTED(wait, START + 30)
    assert (caught.value.job_id, caught.value.code) == ("j-1", "E7")


@pytest.mark.parametrize(
    "between",
    [
        job("in-progress"),
        failing(errors.ReportedFailureError, code="E8", service_message="Font not found"),
        failing(errors.ServiceFailureError),
        failing(errors.NotFoundError),
        failing(errors.UnreadableReplyError),
    ],
)
def test_a_read_that_says_anything_else_begins_the_count_again(between: Poll) -> None:
    wait = JobWait("j-1", started_at=START)
    for poll, at in ((REPORTED, 0), (REPORTED, 20), (between, 25), (REPORTED, 30), (REPORTED, 50)):
        poll(wait, START + at)
    with pytest.raises(errors.JobFailedError):
        REPORTED(wait, START + 60)


def test_reads_that_follow_each_other_too_soon_are_not_believed() -> None:
    wait = JobWait("j-1", started_at=START)
    for second in range(30):
        REPORTED(wait, START + second)
    with pytest.raises(errors.JobFailedError):
        REPORTED(wait, START + 30)


def test_an_unknown_job_is_given_time_from_its_submission() -> None:
    unknown = failing(errors.NotFoundError, code="404", service_message="no such job")
    wait = JobWait("j-1", started_at=START, submitted_at=START - 50)
    assert unknown(wait, START + 10)
    with pytest.raises(
        errors.JobLostError, match=r"Lost sight of job j-1.*does not mean that the job failed"
    ) as caught:
        unknown(wait, START + 11)
    assert (caught.value.job_id, caught.value.code, caught.value.service_message) == (
        "j-1",
        "404",
        "no such job",
    )
    assert isinstance(caught.value.__cause__, errors.NotFoundError)


@pytest.mark.parametrize(
    "kind", [errors.UnreadableReplyError, errors.AuthenticationError, errors.PermissionDeniedError]
)
def test_a_poke_that_cannot_remember_tolerates_nothing_for_a_limited_time(
    kind: type[VideoCreationError],
) -> None:
    wait = JobWait("j-1", started_at=START, remembers=False)
    with pytest.raises(kind):
        failing(kind)(wait, START)
    assert failing(errors.ServiceFailureError)(wait, START + DAY)
    assert failing(errors.NotFoundError)(wait, START + 60)


def test_a_trouble_is_told_at_once_and_then_every_five_minutes() -> None:
    wait = JobWait("j-1", started_at=START)
    trouble = failing(errors.ServiceFailureError)
    told = [second for second in range(0, 901, 10) if trouble(wait, START + second)]
    assert told == [0, 300, 600, 900]
    assert trouble(wait, START + 1200) == "Still waiting for job j-1. Something happened."
    assert failing(errors.ServiceUnreachableError)(wait, START + 1201)


def test_an_unknown_state_is_told_once_a_word() -> None:
    wait = JobWait("j-1", started_at=START)
    assert "state 'queued', which is not known here" in (wait.unknown_state("queued") or "")
    assert wait.unknown_state("queued") is None
    assert wait.unknown_state("paused")


@pytest.mark.parametrize(
    ("age", "deadline_in", "seconds"),
    [
        (0, None, 2),
        (100, None, 10),
        (DAY, None, 30),
        (-DAY, None, 2),
        (100, 11, 10),
        (100, 10, 9),
        (100, 3, 2),
        (100, 1, 1),
        (100, 0.5, 0.5),
        (100, 0, 0),
        (100, -5, 0),
    ],
)
def test_the_last_poll_is_a_second_before_the_deadline_and_none_is_past_it(
    age: float, deadline_in: float | None, seconds: float
) -> None:
    now = START + age
    wait = JobWait("j-1", started_at=START, deadline=None if deadline_in is None else now + deadline_in)
    assert wait.seconds_to_next_poll(now) == seconds


def test_a_poll_ends_with_the_deadline() -> None:
    wait = JobWait("j-1", started_at=START, deadline=START + 60)
    assert wait.begin_poll(START) == 60
    assert wait.begin_poll(START + 59) == 1
    with pytest.raises(errors.JobDeadlinePassedError):
        wait.begin_poll(START + 60)


def test_a_wait_without_a_deadline_does_not_end_its_polls() -> None:
    assert JobWait("j-1", started_at=START).begin_poll(START) == float("inf")


def test_a_wait_that_begins_after_its_deadline_looks_once_for_a_second() -> None:
    wait = JobWait("j-1", started_at=START, deadline=START - 60)
    assert wait.begin_poll(START) == 1
    with pytest.raises(errors.JobDeadlinePassedError):
        wait.begin_poll(START)


@pytest.mark.parametrize("kind", [errors.RateLimitedError, errors.ServiceFailureError])
def test_a_pause_that_the_service_asks_for_is_kept_but_for_the_last_poll(
    kind: type[VideoCreationError],
) -> None:
    wait = JobWait("j-1", started_at=START, deadline=START + 500, schedule=PollSchedule(5))
    failing(kind, retry_after=120.0)(wait, START)
    assert wait.seconds_to_next_poll(START) == 120
    assert wait.seconds_to_next_poll(START + 118) == 5
    failing(kind, retry_after=3600.0)(wait, START + 120)
    assert wait.seconds_to_next_poll(START + 120) == 379


def test_a_deadline_that_passed_says_when_and_that_the_job_may_go_on() -> None:
    wait = JobWait("j-1", started_at=START, deadline=START + 60)
    wait.check_deadline(START + 59.9)
    with pytest.raises(errors.JobDeadlinePassedError) as caught:
        wait.check_deadline(START + 60)
    assert caught.value.job_id == "j-1"
    assert str(caught.value) == (
        "Job j-1 has not ended by its deadline (2027-01-15 08:01:00 UTC). "
        "It may continue at the service: wait for it again by its id, or raise timeout=."
    )


def test_a_deadline_that_passed_in_trouble_says_which() -> None:
    wait = JobWait("j-1", started_at=START, deadline=START + 60)
    failing(errors.ServiceUnreachableError)(wait, START + 50)
    with pytest.raises(
        errors.JobDeadlinePassedError, match=r"timeout=\. The last poll failed: Something happened\.$"
    ):
        wait.check_deadline(START + 60)
    job("in-progress")(wait, START + 60)
    with pytest.raises(errors.JobDeadlinePassedError, match=r"or raise timeout=\.$"):
        wait.check_deadline(START + 60)


def test_an_absurd_deadline_is_over_all_the_same() -> None:
    with pytest.raises(errors.JobDeadlinePassedError, match="1970-01-01"):
        JobWait("j-1", started_at=START, deadline=-1e30).check_deadline(START)
    JobWait("j-1", started_at=START, deadline=1e30).check_deadline(START)
    JobWait("j-1", started_at=START).check_deadline(START + FOREVER)


@pytest.mark.parametrize(
    ("kind", "shows"),
    [
        ("storyboard", {"preview_url": "https://p"}),
        ("storyboard", {"render_settings": {}}),
        ("render", {"share_url": "https://s"}),
        ("render", {"audio_url": "https://a"}),
        ("", {}),
    ],
)
def test_a_completed_job_ends_the_wait_as_soon_as_it_shows_its_result(
    kind: str, shows: dict[str, Any]
) -> None:
    wait = JobWait("j-1", started_at=START, kind=kind)
    if kind:
        assert wait.after_job(Job(job_id="j-1", state="completed"), START) is None
    done = Job(job_id="j-1", state="completed", **shows)
    assert wait.after_job(done, START + 5) == done


def test_a_poke_whose_last_look_is_garbled_is_out_of_time() -> None:
    """Its time was over before the look; that it could not be read is told beside."""
    wait = JobWait("j-1", started_at=START, deadline=START + 60, remembers=False)
    wait.after_error(errors.UnreadableReplyError("the answer is not JSON."), START + 86)
    with pytest.raises(errors.JobDeadlinePassedError, match="last poll failed: the answer is not JSON"):
        wait.check_deadline(START + 86)


@pytest.mark.parametrize(
    ("state", "seconds"),
    [("completed", 10.0), ("failed", 10.0), ("cleaned", 10.0), ("lost", None), ("out-of-time", None)],
)
def test_only_a_job_that_has_ended_has_an_end_that_was_seen_late(state: str, seconds: float | None) -> None:
    wait = JobWait("j-1", started_at=START)
    wait.after_job(Job(job_id="j-1", state="in-progress"), START)

    assert wait.detection_delay(state, START + 20) == seconds


def test_a_lost_job_names_a_command_that_can_be_pasted() -> None:
    wait = JobWait("j 1;", started_at=START, submitted_at=START - 70)
    with pytest.raises(errors.JobLostError) as lost:
        wait.after_error(errors.NotFoundError("no such job", connection="films"), START)

    assert "\n    python -m airflow_video_creation job 'j 1;' --conn films\n" in str(lost.value)
