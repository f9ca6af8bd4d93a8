"""Which job a callback is about, by the task's record; and what an intent is with a callback beside it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from airflow_video_creation.provider.submission.record import Submission
from airflow_video_creation.provider.submission.stored_records import record_key
from airflow_video_creation.provider.webhooks.callback import (
    CALLED_BACK_PREFIX,
    Callback,
    NamedJob,
    callback_key,
    called_back_xcom_key,
    completed_record,
    named_job,
)
from airflow_video_creation.provider.webhooks.webhook_url import Submitter, WebhookRefusedError

SUBMITTER = Submitter("c", "storyboard", "night", "r-1", "make", generation=2, begun_at=10.5)
CALLBACK = Callback(begun_at=10.5, job_id="j-1", announced=False, at=70.0)


def record(state: Any, job_id: str | None = None, **changed: Any) -> Submission:
    return Submission(
        **{
            "generation": 2,
            "state": state,
            "begun_at": 10.5,
            "started_at": 1.0,
            "job_id": job_id,
            "webhook": "c",
        }
        | changed
    )


@pytest.mark.parametrize(
    ("found", "said", "verdict"),
    [
        (record("submitted", "j-1"), "j-1", NamedJob("j-1", of_intent=False)),
        (record("submitted", "j-1"), None, NamedJob("j-1", of_intent=False)),
        (record("submitted", "j-1"), "j-2", "job"),
        (record("completed", "j-1"), "j-1", NamedJob("j-1", of_intent=False)),
        (record("failed", "j-1"), "j-1", NamedJob("j-1", of_intent=False)),
        (record("a state of a later release", "j-1"), "j-1", NamedJob("j-1", of_intent=False)),
        (record("intent"), "j-1", NamedJob("j-1", of_intent=True)),
        (record("intent"), None, "job"),
        (record("intent"), "", "job"),
        (record("intent"), "j-1\n[error] another line", "job"),
        (record("intent"), "j" * 1001, "job"),
        (record("submitted", "j" * 1001), "j" * 1001, NamedJob("j" * 1001, of_intent=False)),
        (record("refused"), "j-1", "task"),
        (record("a state of a later release"), "j-1", "task"),
        (record("intent", begun_at=9.0), "j-1", "task"),
        (record("submitted", "j-1", begun_at=11.0), "j-1", "task"),
        (record("submitted", "j-1", generation=1), "j-1", "task"),
        # Kept by a clear of a task that makes many videos.
        (record("submitted", "j-1", generation=4), "j-1", NamedJob("j-1", of_intent=False)),
        (record("intent", generation=0), "j-1", "task"),
        (record("submitted", "j-1", webhook="another connection"), "j-1", "task"),
        (record("intent", webhook=None), "j-1", "task"),
        (None, "j-1", "task"),
    ],
)
def test_which_job_a_call_is_about(
    found: Submission | None, said: str | None, verdict: NamedJob | str
) -> None:
    stored = json.loads(json.dumps(found.to_json())) if found else None
    if isinstance(verdict, NamedJob):
        assert named_job(stored, SUBMITTER, said) == verdict
        return
    with pytest.raises(WebhookRefusedError) as refused:
        named_job(stored, SUBMITTER, said)
    assert refused.value.reason == verdict


@pytest.mark.parametrize("stored", ["", "text", 3, [], {}, {"state": "intent"}, {"generation": 2}])
def test_a_record_that_cannot_be_understood_has_no_job(stored: Any) -> None:
    with pytest.raises(WebhookRefusedError, match="task"):
        named_job(stored, SUBMITTER, "j-1")


def test_an_intent_has_the_job_that_its_callback_names() -> None:
    assert completed_record(record("intent"), CALLBACK) == record("submitted", "j-1")


@pytest.mark.parametrize(
    "found",
    [
        record("intent", begun_at=11.0),
        record("submitted", "j-9"),
        record("completed", "j-9"),
        record("failed", "j-9"),
        record("refused"),
    ],
)
def test_every_other_record_stays_as_it_is(found: Submission) -> None:
    assert completed_record(found, CALLBACK) is found


def test_without_a_callback_an_intent_stays_in_doubt() -> None:
    assert completed_record(record("intent"), None) == record("intent")


def test_a_callback_survives_the_store_and_other_releases() -> None:
    stored = json.loads(json.dumps(CALLBACK.to_json()))
    assert Callback.from_json(stored) == CALLBACK
    assert Callback.from_json(stored | {"added_in_a_later_release": 1}) == CALLBACK


@pytest.mark.parametrize(
    "stored",
    [None, "", 3, [], {}, {"begun_at": 10.5}]
    + [
        CALLBACK.to_json() | odd
        for odd in ({"job_id": ""}, {"job_id": 7}, {"begun_at": "10.5"}, {"at": None})
    ]
    + [CALLBACK.to_json() | {"begun_at": True}],
)
def test_what_cannot_be_understood_is_no_callback(stored: Any) -> None:
    assert Callback.from_json(stored) is None


def test_record_and_callback_stand_under_keys_of_their_own() -> None:
    keys = [key(stage) for key in (record_key, callback_key) for stage in ("", "storyboard", "render")]
    assert len(set(keys)) == 6
    assert keys[0] == "video_creation.submission", "records of earlier releases stand there"


@pytest.mark.parametrize("job_id", ["j-1", "a/b?c", "J" * 200, "J" * 201, "é" * 5000, "\ud800" * 300])
def test_the_key_that_wakes_the_waits_for_a_job_is_short(job_id: str) -> None:
    key = called_back_xcom_key(job_id)
    assert key.startswith(CALLED_BACK_PREFIX)
    assert len(key) <= len(CALLED_BACK_PREFIX) + 200
    assert key != called_back_xcom_key(f"{job_id}x")
