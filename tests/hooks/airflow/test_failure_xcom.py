"""How a task that fails shows it: to Airflow's log in short lines without our stack, and whole to XCom."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowException, AirflowFailException

from airflow_video_creation.hooks.airflow.errors import airflow_errors
from airflow_video_creation.hooks.airflow.failure_xcom import FAILURE_KEY, telling_failures
from airflow_video_creation.provider.errors import (
    AmbiguousSubmissionError,
    JobFailedError,
    ServiceFailureError,
    VideoCreationError,
)
from airflow_video_creation.provider.message_lines import WIDTH

from ...told_errors import told

WORDS = (
    "Create storyboard (POST /api/v1/video/storyboard): the connection was reset, so the request may have been "
    "accepted, and may be paid for. It was not sent again. If the job is there, put "
    "adopt_job_id=\"{{ {'manual__1': 'JOB_ID'}.get(run_id) }}\" into the DAG and clear this task."
)


class Failing:
    """A task that fails deep within our code."""

    video_creation_conn_id = "video"
    video_name = "The tide mill"
    log = logging.getLogger(__name__)

    def __init__(self, error: Exception) -> None:
        self.error = error

    @telling_failures
    def execute(self, context: Any) -> None:
        with airflow_errors():
            self.submit()

    def submit(self) -> None:
        try:
            raise OSError("the socket")
        except OSError as why:
            raise self.error from why


def fails(error: Exception) -> tuple[BaseException, dict[str, Any]]:
    pushed: dict[str, Any] = {}
    ti = SimpleNamespace(task_id="t", map_index=-1, xcom_push=lambda key, value: pushed.update({key: value}))
    with pytest.raises(type(error)) as caught:
        Failing(error).execute({"ti": ti})
    return caught.value, pushed[FAILURE_KEY]


def test_the_log_has_short_lines_that_name_connection_and_video() -> None:
    shown, _ = fails(AmbiguousSubmissionError(WORDS))

    assert max(map(len, str(shown).splitlines())) <= WIDTH
    assert "Connection 'video', video 'The tide mill'." in str(shown).splitlines()
    assert "adopt_job_id=\"{{ {'manual__1': 'JOB_ID'}.get(run_id) }}\"" in told(shown)


def test_the_job_is_named_where_the_message_does_not_name_it() -> None:
    shown, _ = fails(JobFailedError("It failed.", job_id="j-1"))

    assert str(shown) == "It failed.\nConnection 'video', video 'The tide mill', job 'j-1'."


def test_the_log_has_no_stack_of_ours() -> None:
    """Airflow shows a stack as long as the screen above the message; what it shows of ours is one frame."""
    shown, _ = fails(AmbiguousSubmissionError(WORDS))

    frames = traceback.extract_tb(shown.__traceback__)
    assert [Path(frame.filename).name for frame in frames if frame.filename != __file__] == [
        "failure_xcom.py"
    ]
    assert shown.__cause__ is None
    assert shown.__suppress_context__


def test_xcom_is_told_the_message_as_it_was() -> None:
    _, failure = fails(AmbiguousSubmissionError(WORDS))

    assert (failure["kind"], failure["video"], failure["message"]) == (
        "AmbiguousSubmissionError",
        "The tide mill",
        WORDS,
    )


@pytest.mark.parametrize(
    ("error", "ends"),
    [(ServiceFailureError("Later."), False), (JobFailedError("No.", job_id="j"), True)],
    ids=["retried", "ends"],
)
def test_a_retry_mends_what_it_did_before(error: VideoCreationError, ends: bool) -> None:
    shown, _ = fails(error)

    assert isinstance(shown, AirflowException)
    assert isinstance(shown, AirflowFailException) == ends


def test_what_is_not_ours_is_shown_as_it_is() -> None:
    error = KeyError("of the author's own code")
    shown, _ = fails(error)

    assert shown is error
    assert shown.__cause__
