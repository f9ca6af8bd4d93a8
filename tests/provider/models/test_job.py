"""A job, as an object and as the dict in XCom."""

from __future__ import annotations

import json
from typing import Any

import pytest

from airflow_video_creation.provider.errors import (
    ConfigurationError,
    JobFailedError,
    JobResultPurgedError,
    UnreadableReplyError,
)
from airflow_video_creation.provider.models import Job
from airflow_video_creation.provider.models.job import ended_badly, result_of

XCOM_KEYS = [
    "job_id",
    "state",
    *("preview_url", "render_settings"),
    *("video_url", "share_url", "thumbnail_url", "audio_url", "srt_url", "vtt_url", "txt_url"),
    *("duration", "progress"),
    *("error_code", "error_message"),
]
"""The names that DAGs read (ours)."""


def test_the_dict_in_xcom_has_every_key_of_the_design() -> None:
    job = Job(job_id="j", state="completed", render_settings={"a": [1, {"b": None}]}, duration=3)
    assert list(job.to_xcom()) == XCOM_KEYS
    assert Job(**json.loads(json.dumps(job.to_xcom()))) == job


def test_a_job_shows_no_media_url_and_no_settings() -> None:
    urls: dict[str, Any] = {
        name: "https://m.example/?sig=5ec7e7" for name in XCOM_KEYS if name.endswith("_url")
    }
    job = Job(job_id="j", state="completed", render_settings={"key": "5ec7e7"}, **urls)
    assert "5ec7e7" not in repr(job)


@pytest.mark.parametrize(
    ("code", "words", "reason"),
    [
        ("E-7", "No such font.", "Job j failed, the service says: E-7: No such font. Correct"),
        (None, "No such font", "Job j failed, the service says: No such font. Correct"),
        (None, None, "Job j failed, and the service gives no reason. Look at the job"),
    ],
)
def test_a_failed_job_is_told_in_the_services_words(code: str | None, words: str | None, reason: str) -> None:
    error = ended_badly(Job(job_id="j", state="failed", error_code=code, error_message=words))
    assert isinstance(error, JobFailedError)
    assert str(error).startswith(reason)
    assert (error.job_id, error.code, error.service_message) == ("j", code, words)


def test_a_purged_job_says_what_to_do() -> None:
    error = ended_badly(Job(job_id="j", state="cleaned"))
    assert isinstance(error, JobResultPurgedError)
    assert "Submit the job again" in str(error)


STORYBOARD = Job(job_id="j", state="completed", preview_url="https://m.example/p", render_settings={"a": 1})
RENDER = Job(job_id="j", state="completed", video_url="https://m.example/v?sig=5ec7e7")


@pytest.mark.parametrize("state", ["failed", "cleaned", "in-progress", "completed"])
def test_a_job_knows_whether_it_has_ended_badly(state: Any) -> None:
    assert Job(job_id="j", state=state).has_ended_badly is (state in ("failed", "cleaned"))


def test_a_render_without_a_video_url_gives_its_share_url() -> None:
    job = Job(job_id="j", state="completed", share_url="https://m.example/s", audio_url="https://m.example/a")
    assert result_of(job, "video_url") == "https://m.example/s"


def test_a_render_of_which_only_the_sound_is_named_says_so() -> None:
    job = Job(job_id="j", state="completed", audio_url="https://m.example/a?sig=5ec7e7")
    with pytest.raises(UnreadableReplyError) as caught:
        result_of(job, "video_url")
    assert str(caught.value) == (
        "Render job j is completed, but the service gives no video URL, only an audio URL. "
        "Nothing was fetched, and nothing was paid by this task. Look at the job at the service; "
        "when it shows the video, a retry fetches it and pays nothing."
    )
    assert caught.value.job_id == "j"
    assert caught.value.retryable


def test_a_finished_job_gives_what_is_needed() -> None:
    assert result_of(STORYBOARD, "preview_url") == "https://m.example/p"
    assert result_of(STORYBOARD, "render_settings") == {"a": 1}
    assert result_of(RENDER, "video_url") == RENDER.video_url


@pytest.mark.parametrize(
    ("job", "needed", "error", "message"),
    [
        (
            Job(job_id="j", state="failed"),
            "video_url",
            JobFailedError,
            "Job j failed, and the service gives no reason",
        ),
        (Job(job_id="j", state="cleaned"), "preview_url", JobResultPurgedError, "removed by the service"),
        (
            Job(job_id="j", state="in-progress"),
            "render_settings",
            ConfigurationError,
            "Job j is in-progress and has no render settings yet: wait for it first, with "
            "wait_for_completion=True or VideoJobSensor.",
        ),
        (
            RENDER,
            "render_settings",
            ConfigurationError,
            "Job j has no render settings: it is a render job. Pass the id of a finished storyboard job.",
        ),
        (
            Job(job_id="j", state="completed", share_url="https://m.example/s"),
            "preview_url",
            ConfigurationError,
            "Job j has no preview: it is a render job. Pass the id of a finished storyboard job.",
        ),
        (
            STORYBOARD,
            "video_url",
            ConfigurationError,
            "Job j has no video: it is a storyboard job. Pass the id of a finished render job.",
        ),
        (
            Job(job_id="j", state="completed"),
            "preview_url",
            UnreadableReplyError,
            "Storyboard job j is completed, but the service gives no preview of it. Nothing was sent now. Look at the "
            "job at the service; when it shows that, a retry continues, and nothing is paid for twice.",
        ),
        (
            Job(job_id="j", state="completed"),
            "video_url",
            UnreadableReplyError,
            "Render job j is completed, but the service gives no video URL. Nothing was fetched, and nothing was paid "
            "by this task. Look at the job at the service; when it shows the video, a retry fetches it and pays "
            "nothing.",
        ),
    ],
)
def test_a_job_that_does_not_have_it_says_what_to_pass(
    job: Job, needed: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        result_of(job, needed)
    assert message in str(caught.value)
    assert "5ec7e7" not in str(caught.value)
