"""What a release has stored in Airflow's database is understood by every later one."""

from __future__ import annotations

import json
from dataclasses import fields
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
from airflow_video_creation.provider.submission.stored_records import frozen, thawed
from airflow_video_creation.provider.submission.submission_request import SubmissionRequest
from airflow_video_creation.provider.submission.task_try import TaskTry
from airflow_video_creation.provider.videos.video_shards import VideoShards, asked_for
from airflow_video_creation.provider.waiting.wait_event import ends_of, job_id_of_event
from airflow_video_creation.provider.webhooks.callback import Callback, completed_record
from airflow_video_creation.provider.webhooks.webhook_url import Submitter, claimed, verified
from airflow_video_creation.release.changelog import newest_released, sections

CHANGELOG = (Path(__file__).parents[1] / "CHANGELOG.md").read_text("utf-8")
FILES = sorted((Path(__file__).parent / "releases").glob("*.json"))
DECISIONS: dict[str, type[Any]] = {
    "submitted": Attach,
    "with_webhook": Attach,
    "adopted": Attach,
    "reported_failed": Attach,
    "registered": Attach,
    "completed": Attach,
    "refused": Submit,
    "failed": Submit,
}


CURRENT = sections(CHANGELOG)[0].version


def stored_by(version: str) -> Any:
    return json.loads((FILES[0].parent / f"{version}.json").read_text("utf-8"))


@pytest.fixture(params=FILES, ids=[file.stem for file in FILES])
def stored(request: pytest.FixtureRequest) -> Any:
    return stored_by(request.param.stem)


def decided(record: Any) -> Any:
    found = Submission.from_json(record, 1)
    return decide(found, SubmissionRequest("create storyboard", {"videoName": "v"}), TaskTry(1), 50.0)


def test_every_version_has_a_file() -> None:
    assert {file.stem for file in FILES} == {section.version for section in sections(CHANGELOG)}


def test_the_package_has_the_version_that_was_released_last() -> None:
    """``make release`` sets both; what is open in CHANGELOG.md has no version yet."""
    assert newest_released(CHANGELOG).version == VERSION


def test_stored_triggers_go_on(stored: Any) -> None:
    for name in (name for name in stored if name.startswith("trigger")):
        module, _, kind = stored[name]["classpath"].rpartition(".")
        kwargs = stored[name]["kwargs"]
        assert getattr(import_module(module), kind)(**kwargs).serialize()[1].items() >= kwargs.items()


def test_events_under_way_arrive(stored: Any) -> None:
    assert job_id_of_event(stored["completed_event"]) == "j-1"
    with pytest.raises(JobFailedError, match="no such voice"):
        job_id_of_event(stored["error_event"])


def test_the_ends_of_many_jobs_under_way_arrive() -> None:
    ends = ends_of(stored_by(CURRENT)["jobs_event"])

    assert {job_id: job_id_of_event(end) for job_id, end in ends.items()} == {"j-1": "j-1"}


def test_a_record_means_what_it_meant(stored: Any) -> None:
    for name, record in stored["records"].items():
        assert name == "intent" or isinstance(decided(record), DECISIONS[name]), name


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
    shown = ShownJob.from_json(stored["shown_job"])
    assert shown
    assert (shown.job_id, shown.video_creation_conn_id, shown.submitted_at) == (
        "j-1",
        "video_creation_default",
        10.0,
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


def test_the_records_of_a_task_that_makes_several_thaw_together() -> None:
    several = stored_by(CURRENT)["several"]

    records = thawed(several, list(several["records"]), 1)

    assert {stage: record.state for stage, record in records.items()} == {
        "storyboard": "completed",
        "render": "intent",
    }
    assert frozen(records) == several


def test_which_videos_a_task_is_asked_for_is_still_known() -> None:
    index = stored_by(CURRENT)["videos_index"]

    assert asked_for(index) == (2, ["v", "w"])
    shards = VideoShards(index)
    shards.make_room(["v", "w"])
    assert shards.index_json() == index


def test_the_newest_file_holds_all_that_is_stored_now() -> None:
    """A field that is new belongs into the file of the open version, and into no older one."""
    newest = stored_by(CURRENT)

    for record in newest["records"].values():
        assert record.keys() == {item.name for item in fields(Submission)}
    for kind, name in ((Callback, "callback"), (Failure, "failure"), (ShownJob, "shown_job")):
        assert newest[name].keys() == {item.name for item in fields(kind)}, name
