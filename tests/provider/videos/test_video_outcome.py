"""What came of each of many videos, as the result, the manifest and the store have it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.errors import (
    AmbiguousSubmissionError,
    DeliveryError,
    JobDeadlinePassedError,
    SpendingStoppedError,
    VideoCreationError,
)
from airflow_video_creation.provider.submission.task_try import TaskTry
from airflow_video_creation.provider.videos.video_outcome import (
    MAX_XCOM_BYTES,
    VideoOutcome,
    message_of,
    state_of,
)
from airflow_video_creation.provider.videos.videos_report import causes, headline, progress_line

TEXT = st.text(max_size=500)


@given(name=TEXT, file=TEXT, job_id=TEXT, message=TEXT)
def test_the_result_of_a_video_is_small_and_names_the_whole_file_whatever_it_is_called(
    name: str, file: str, job_id: str, message: str
) -> None:
    outcome = VideoOutcome(name, "failed", job_id, job_id, file, 1.5, "DeliveryError", message)
    told = outcome.to_xcom()
    assert told.pop("file") == file
    assert len(json.dumps(told, ensure_ascii=False).encode(errors="backslashreplace")) <= MAX_XCOM_BYTES
    assert told["state"] == "failed"


def test_a_long_name_leaves_out_the_job_ids_before_anything_that_a_reader_needs() -> None:
    name = "flour-water-a-cold-kitchen-why-bread-rises-slower-in-winter-73cf608a8104"
    file = f"s3://my_aws_connection@my-bucket/videos/{name}.mp4"
    told = VideoOutcome(name, "delivered", "s" * 36, "r" * 36, file, 1.25).to_xcom()

    assert (told["name"], told["file"], told["minutes"]) == (name, file, 1.25)
    assert "storyboard_job_id" not in told
    assert len(json.dumps(told)) <= MAX_XCOM_BYTES


def test_what_is_short_is_told_as_it_is() -> None:
    outcome = VideoOutcome("news", "delivered", "s-1", "r-1", "/videos/news.mp4", 1.5)
    assert outcome.to_xcom() == {
        "name": "news",
        "state": "delivered",
        "storyboard_job_id": "s-1",
        "render_job_id": "r-1",
        "file": "/videos/news.mp4",
        "minutes": 1.5,
    }


def test_the_store_gives_back_what_it_was_given() -> None:
    outcome = VideoOutcome("news", "failed", "s-1", error="DeliveryError", message="no room", retryable=True)
    kept = json.loads(json.dumps(outcome.to_json(TaskTry(2, 3))))
    assert (kept["try"], kept["generation"]) == (3, 2)
    assert VideoOutcome.from_json("news", kept, {}) == outcome


@pytest.mark.parametrize("stored", [None, 5, [], {}, {"state": "lost"}, {"state": None}])
def test_what_cannot_be_understood_is_nothing(stored: object) -> None:
    assert VideoOutcome.from_json("news", stored, {}) is None


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (AmbiguousSubmissionError("?"), "in-doubt"),
        (JobDeadlinePassedError("late", job_id="j"), "timed-out"),
        (SpendingStoppedError("stop"), "skipped"),
        (DeliveryError("no room"), "failed"),
        (OSError("password=5"), "failed"),
    ],
)
def test_how_a_video_ended(error: Exception, state: str) -> None:
    assert state_of(error) == state
    assert isinstance(error, VideoCreationError) == (str(error) in message_of(error))


def test_the_progress_is_one_line() -> None:
    outcomes = [VideoOutcome(str(number), "delivered") for number in range(412)]
    outcomes += [VideoOutcome(f"f{number}", "failed") for number in range(3)]
    line = progress_line(outcomes, total=1000, under_way=50, ended_here=400, seconds=1680.0)
    assert line == "412 of 1,000 delivered, 3 failed, 50 under way, about 41 minutes left"


def test_the_causes_name_the_first_videos() -> None:
    failed = [
        VideoOutcome(f"v{number:02}", "failed", error="JobFailedError", message=f"Job {number} failed.")
        for number in range(12)
    ]
    doubt = VideoOutcome("w", "in-doubt", error="AmbiguousSubmissionError", message="It may exist.\nLook.")
    made = VideoOutcome("x", "delivered", minutes=2.0)

    assert headline([*failed, doubt, made]) == (
        "1 of 14 delivered, 12 failed, 1 in doubt, 2.0 minutes of video."
    )
    assert headline([VideoOutcome("x", "delivered", minutes=0.03)]) == "1 of 1 delivered, 2 s of video."
    first, second = causes([*failed, doubt, made])
    assert first.splitlines() == [
        "12 failed (JobFailedError): v00, v01, v02, v03, v04, v05, v06, v07, v08, v09 and 2 more",
        "    Job 0 failed.",
    ]
    assert second.splitlines() == [
        "1 in doubt (AmbiguousSubmissionError): w",
        "    It may exist.",
        "    Look.",
    ]


def test_videos_that_failed_for_other_causes_stand_apart() -> None:
    said = "Video {0!r}: Job {1} failed, the service says: {2}."
    failed = [
        VideoOutcome(name, "failed", error="JobFailedError", message=said.format(name, f"0f3e{name}81", why))
        for name, why in [("one", "NO_FONT"), ("two", "NO_FONT"), ("three", "TIMEOUT")]
    ]
    assert [cause.partition("\n")[0] for cause in causes(failed)] == [
        "2 failed (JobFailedError): one, two",
        "1 failed (JobFailedError): three",
    ]
