"""The record of a paid submission, as it is stored."""

import json

from airflow_video_creation.provider.submission.record import Submission


def record(state, job_id=None):
    return Submission(1, state, 10.0, 5.0, job_id=job_id, digests={"videoName": "0123456789ab"})


def test_a_record_survives_the_store_and_other_releases():
    submitted = record("submitted", "j-1")
    stored = json.loads(json.dumps(submitted.to_json()))
    assert Submission.from_json(stored, 1) == submitted
    assert Submission.from_json(stored | {"added_in_a_later_release": 1}, 1) == submitted


def test_nothing_stored_is_no_record():
    assert Submission.from_json(None, 1) is None
