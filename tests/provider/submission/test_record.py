"""The record of a paid submission, as it is stored."""

import json
import math

import pytest

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


@pytest.mark.parametrize(
    "odd",
    [
        *({"begun_at": at} for at in (1e300, -1e12, math.nan, "1")),
        *({"started_at": at} for at in (math.inf, True)),
        {"sent_at": "soon"},
        *({"job_id": job_id} for job_id in (["j-1"], {"job_id": "j-1"}, " ", "", 5)),
        {"digests": []},
    ],
)
def test_values_that_mean_nothing_make_it_an_intent(odd):
    found = Submission.from_json(record("submitted", "j-1").to_json() | odd, 1)
    assert (found.state, found.job_id) == ("intent", None)
