"""What the words of a failure mean, in whatever spelling (ours)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.failure_words import is_no_error, plain, twin_status

UNKNOWN_JOB = [
    "not found",
    "404",
    "NotFound",
    "Resource not found.",
    "Job not found",
    "JOB_NOT_FOUND",
    "JobNotFoundException",
    "jobNotFound",
    "NoSuchJob",
    "unknown_job_id",
    "Job nobody-knows was not found",
    "Job 5f3a-22bc not found",
    "The job with id 'nobody-knows' does not exist.",
    "The job doesn't exist",
    "The requested job could not be found",
    "Error: No such job: nobody-knows",
    "There is no job 'nobody-knows'.",
    "No job found with id 88",
    "Unknown job id nobody-knows",
    "Cannot find job nobody-knows",
    "Invalid job id",
    "Job is unknown",
    "Job not found or expired",
    "Unable to locate job nobody-knows",
    "No job with that id",
    "Job nobody-knows not yet available",
    "job is not visible yet",
]
FAILED_JOB = [
    "Font not found",
    "The font for this job was not found",
    "Job failed: background not found",
    "Job nobody-knows failed because the speaker is unknown",
    "The voice of scene 3 does not exist",
    "No job slots available",
    "Invalid job settings: font missing",
    "Unknown job type",
    "RENDERING_FAILED",
    "5000",
    "Rendering timed out",
    "",
    "an error",
    "Schrift nicht gefunden",
    "Rendering failed: internal error",
    "Background video is temporarily unavailable",
    "SSML error: invalid token '<brek>' in scene 3",
    "Video not found in bucket my-bucket",
    "The speaker is not authenticated",
    "Unauthorized access to the background of scene 2",
]
TWINS = {
    "RATE_LIMITED": 429,
    "rateLimitExceeded": 429,
    "Rate exceeded": 429,
    "ThrottlingException": 429,
    "TooManyRequestsException": 429,
    "Request limit exceeded": 429,
    "429": 429,
    "Unauthorized: token expired": 401,
    "The access token has expired": 401,
    "ExpiredToken": 401,
    "invalid_token": 401,
    "Missing Authentication Token": 401,
    "JWT expired": 401,
    "Forbidden": 403,
    "AccessDeniedException": 403,
    "Service Temporarily Unavailable": 503,
    "ServiceUnavailableException": 503,
    "InternalServerError": 503,
    "System is busy, please try again later": 503,
    "upstream request timeout": 503,
    "Bad Gateway": 503,
    "Temporarily unavailable": 503,
    "Internal error": 503,
    "Job is still processing": 425,
    "NOT_READY": 425,
    "render pending": 425,
    "Video not ready": 425,
    "Please wait, the job is being processed": 425,
    "503": 503,
}


@pytest.mark.parametrize("words", UNKNOWN_JOB)
def test_these_words_say_that_the_job_is_unknown(words: str) -> None:
    assert twin_status([words], "nobody-knows") == 404
    assert twin_status(["E17", words], "nobody-knows") == 404


@pytest.mark.parametrize("words", FAILED_JOB)
def test_these_words_may_say_why_a_job_failed(words: str) -> None:
    assert twin_status([words], "nobody-knows") is None


@pytest.mark.parametrize(("words", "status"), TWINS.items())
def test_these_words_say_the_same_as_a_status(words: str, status: int) -> None:
    assert twin_status([words], "j-1") == status


@pytest.mark.parametrize(
    ("statuses", "words", "status"),
    [
        ((500,), ["boom"], 500),
        ((404,), [], 404),
        ((429,), ["Job not found"], 429),
        ((500,), ["Unauthorized"], 401),
        ((400,), ["boom"], None),
        ((200,), ["boom"], None),
        # A job may fail with a code of the service's own, so this one alone says nothing.
        ((), ["500"], None),
    ],
)
def test_a_number_in_the_body_counts_as_a_status(
    statuses: tuple[int, ...], words: list[str], status: int | None
) -> None:
    assert twin_status(words, "j-1", statuses) == status


@pytest.mark.parametrize(
    "value",
    [None, False, 0, 0.0, "", "0", "none", "None", "null", "OK", "ok.", "No error", 200, "200", " - "],
)
def test_this_is_no_error(value: Any) -> None:
    assert is_no_error(value)


@pytest.mark.parametrize("value", [True, 1, "1", "boom", "5000", 500, "字体", ["x"], {"a": 1}, -1, 300])
def test_this_is_an_error(value: Any) -> None:
    assert not is_no_error(value)


@given(st.text(), st.text())
def test_no_text_is_too_much(text: str, job_id: str) -> None:
    twin_status([text], job_id)
    assert plain(plain(text)) == plain(text)
