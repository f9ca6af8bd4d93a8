"""A try that finds a submission in doubt resumes the job that the service has told Airflow of."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.provider.errors import AmbiguousSubmissionError, SubmissionRecordError
from airflow_video_creation.provider.webhooks.callback import Callback, callback_key

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}


def storyboard(**arguments: Any) -> CreateStoryboardOperator:
    return CreateStoryboardOperator(**{"task_id": "t", "storyboard": STORYBOARD} | arguments)


def die_between_post_and_record(task: Any, stage: str = "", begun_at: float = 1_795_000_000.5) -> None:
    """What a worker leaves that was killed before it stored the answer."""
    record = {
        "generation": task.ti.max_tries,
        "state": "intent",
        "begun_at": begun_at,
        "started_at": begun_at,
    }
    task.set_record(stage, record | {"webhook": True})
    task.retry()


def told(task: Any, job_id: str, stage: str = "", begun_at: float = 1_795_000_000.5) -> None:
    """What the receiver stores of a callback."""
    task.store.values[callback_key(stage)] = Callback(begun_at, job_id, True, begun_at + 60).to_json()


@pytest.mark.parametrize("on_ambiguous", ["fail", "resubmit"])
def test_a_retry_goes_on_from_the_job_that_a_callback_named(
    task: Any, sent: Any, on_ambiguous: Any, log: Any
) -> None:
    die_between_post_and_record(task)
    told(task, "s-1")

    assert storyboard(on_ambiguous=on_ambiguous).execute(task.context()) == "s-1"
    assert sent() == []
    assert "The service's callback named job s-1" in log()
    record = task.record()
    assert (record["state"], record["job_id"]) == ("submitted", "s-1")


def test_the_finished_job_of_a_callback_is_waited_for_and_recorded(task: Any, sent: Any) -> None:
    die_between_post_and_record(task)
    told(task, "s-1")

    job = storyboard(wait_for_completion=True).execute(task.context())
    assert job["render_settings"] == {"scenes": 1}
    assert sent() == []
    assert task.record()["state"] == "completed"


@pytest.mark.parametrize("begun_at", [1.0, 1_795_000_000.0])
def test_a_callback_of_an_earlier_submission_settles_no_doubt(task: Any, sent: Any, begun_at: float) -> None:
    die_between_post_and_record(task)
    told(task, "s-0", begun_at=begun_at)

    with pytest.raises(AmbiguousSubmissionError):
        storyboard().execute(task.context())
    assert sent() == []


def test_a_cleared_task_submits_anew_whatever_was_told_before(task: Any, sent: Any) -> None:
    die_between_post_and_record(task)
    told(task, "s-0")
    task.clear()

    assert storyboard().execute(task.context()) == "s-1"
    assert len(sent()) == 1


@pytest.mark.parametrize("on_ambiguous", ["fail", "resubmit"])
def test_a_callback_that_cannot_be_read_stops_this_try_and_not_the_next(
    task: Any, sent: Any, on_ambiguous: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    die_between_post_and_record(task)
    told(task, "s-1")
    get = task.store.get

    def away(key: str) -> Any:
        if key == callback_key():
            raise ConnectionError("the API server is away")
        return get(key)

    with monkeypatch.context() as patch:
        patch.setattr(task.store, "get", away)
        with pytest.raises(SubmissionRecordError, match="nothing was sent"):
            storyboard(on_ambiguous=on_ambiguous).execute(task.context())
    task.retry()

    assert storyboard(on_ambiguous=on_ambiguous).execute(task.context()) == "s-1"
    assert sent() == []


def test_a_callback_that_cannot_be_understood_leaves_the_doubt(task: Any, sent: Any) -> None:
    die_between_post_and_record(task)
    task.store.values[callback_key()] = {"of": "another release"}
    with pytest.raises(AmbiguousSubmissionError):
        storyboard().execute(task.context())
    assert sent() == []


def test_a_storyboard_that_is_wrong_by_now_does_not_hinder(task: Any, sent: Any) -> None:
    die_between_post_and_record(task)
    told(task, "s-1")
    assert storyboard(storyboard="{}").execute(task.context()) == "s-1"


def test_a_render_that_a_callback_named_needs_the_storyboard_no_more(ask: Any, task: Any, sent: Any) -> None:
    die_between_post_and_record(task, "render")
    told(task, "r-1", "render")
    ask.will("cleaned", on="/api/v1/job/s-1")

    job = CreateVideoOperator(task_id="t", storyboard=STORYBOARD).execute(task.context())
    assert job["video_url"] == "https://v"
    assert sent("storyboard") == sent("render") == []
