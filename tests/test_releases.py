"""What a release has stored in Airflow's database is understood by every later one."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation.provider.errors import AmbiguousSubmissionError, JobFailedError
from airflow_video_creation.provider.info import VERSION
from airflow_video_creation.provider.spending.failure import Failure
from airflow_video_creation.provider.submission.decision import Attach, Submit, decide
from airflow_video_creation.provider.submission.record import Submission
from airflow_video_creation.provider.submission.shown_job import ShownJob
from airflow_video_creation.provider.submission.submission_request import SubmissionRequest
from airflow_video_creation.provider.submission.task_try import TaskTry
from airflow_video_creation.provider.waiting.wait_event import job_id_of_event
from airflow_video_creation.provider.webhooks.callback import Callback, completed_record
from airflow_video_creation.provider.webhooks.webhook_url import Submitter, claimed, verified

FILES = sorted((Path(__file__).parent / "releases").glob("*.json"))
DECISIONS: dict[str, type[Any]] = {
    "submitted": Attach,
    "with_webhook": Attach,
    "of_a_video": Attach,
    "registered": Attach,
    "completed": Attach,
    "refused": Submit,
    "failed": Submit,
}


@pytest.fixture(params=FILES, ids=[file.stem for file in FILES])
def stored(request: pytest.FixtureRequest) -> Any:
    return json.loads(request.param.read_text("utf-8"))


def decided(record: Any) -> Any:
    found = Submission.from_json(record, 1)
    return decide(found, SubmissionRequest("create storyboard", {"videoName": "v"}), TaskTry(1), 50.0)


def test_this_release_has_a_file() -> None:
    assert VERSION in [file.stem for file in FILES]


def test_stored_triggers_go_on(stored: Any) -> None:
    for name in ("trigger", "trigger_before_webhook", "trigger_before_cancel_on_kill"):
        module, _, kind = stored[name]["classpath"].rpartition(".")
        kwargs = stored[name]["kwargs"]
        assert getattr(import_module(module), kind)(**kwargs).serialize()[1].items() >= kwargs.items()


def test_events_under_way_arrive(stored: Any) -> None:
    assert job_id_of_event(stored["completed_event"]) == "j-1"
    with pytest.raises(JobFailedError, match="no such voice"):
        job_id_of_event(stored["error_event"])


@pytest.mark.parametrize("state", DECISIONS)
def test_a_record_means_what_it_meant(stored: Any, state: str) -> None:
    assert isinstance(decided(stored["records"][state]), DECISIONS[state])


def test_an_intent_is_still_in_doubt(stored: Any) -> None:
    with pytest.raises(AmbiguousSubmissionError):
        decided(stored["records"]["intent"])


def test_a_callback_still_tells_the_job_of_an_intent(stored: Any) -> None:
    intent = Submission.from_json(stored["records"]["intent"], 1)
    assert intent
    assert completed_record(intent, Callback.from_json(stored["callback"])).job_id == "j-1"


def test_how_a_task_failed_is_still_known(stored: Any) -> None:
    failure = Failure.from_json(stored["failure"])
    assert failure
    assert (failure.kind, failure.map_index, failure.cause) == ("AuthenticationError", 3, "authentication")


def test_the_job_of_a_task_is_still_shown(stored: Any) -> None:
    assert ShownJob.from_json(stored["shown_job"]) == ShownJob(
        "j-1", None, "video_creation_default", submitted_at=10.0
    )


def test_a_webhook_that_the_service_was_given_is_still_taken(stored: Any) -> None:
    submitter = Submitter("c-1", "render", "night", "manual__1", "make", 1, 10.0, map_index=3, stage="render")
    assert verified(stored["webhook_token"], "a secret of 22 letters", now=20.0) == submitter
    assert claimed(stored["webhook_token"]) == submitter


def test_this_releases_record_has_the_stored_form(stored: Any) -> None:
    for record in stored["records"].values():
        found = Submission.from_json(record, 1)
        assert found
        assert found.to_json().items() >= record.items()
