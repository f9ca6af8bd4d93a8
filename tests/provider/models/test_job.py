"""A job, as an object and as the dict in XCom."""

from __future__ import annotations

import json
from typing import Any

import pytest

from airflow_video_creation.provider.models import Job
from airflow_video_creation.provider.models.job import ended_badly
from airflow_video_creation.provider.protocol.errors import JobFailedError, JobResultPurgedError

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
        (None, None, "Job j failed without a reason. Correct"),
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
