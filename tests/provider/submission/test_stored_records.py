"""Where records stand: one read gives all of a task, and those of release 0.1.0 are found too."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.submission.record import Submission
from airflow_video_creation.provider.submission.stored_records import (
    ONE,
    RECORD_KEY,
    RECORDS_KEY,
    frozen,
    key_of,
    of_older_release,
    record_json,
    thawed,
)

STAGES = ("storyboard", "render")
NAMES = st.sampled_from(["records", "storyboard", "generation", "x"])
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner),
)
RECORD = Submission(1, "submitted", 10.0, 5.0, job_id="j-1")


def stored(records):
    return json.loads(json.dumps(frozen(records)))


def test_a_task_of_one_submission_keeps_it_as_release_0_1_0_did():
    assert key_of(ONE) == RECORD_KEY
    assert stored({"": RECORD}) == RECORD.to_json()
    assert thawed(RECORD.to_json(), ONE, 1) == {"": RECORD}


@pytest.mark.parametrize(
    "records", [{"storyboard": RECORD}, {"storyboard": RECORD, "render": RECORD.refused()}]
)
def test_a_task_of_several_keeps_all_in_one_value(records):
    assert key_of(STAGES) == RECORDS_KEY
    assert thawed(stored(records), STAGES, 1) == records
    assert record_json(stored(records), "storyboard") == RECORD.to_json()


def test_the_records_of_release_0_1_0_become_one_value():
    older = of_older_release({"storyboard": RECORD.to_json(), "render": None})
    assert thawed(older, STAGES, 1) == {"storyboard": RECORD}
    assert of_older_release({"storyboard": None, "render": None}) is None


@pytest.mark.parametrize("stages", [ONE, STAGES])
def test_nothing_stored_is_no_record(stages):
    assert thawed(None, stages, 1) == {}


@given(ODD)
def test_what_cannot_be_understood_is_an_intent_of_each_stage(odd):
    found = thawed(odd, STAGES, 1)
    if isinstance(odd, dict) and isinstance(odd.get("records"), dict):
        named = {stage for stage in STAGES if odd["records"].get(stage) is not None}
        assert found.keys() == named
    else:
        assert found.keys() == (set() if odd is None else set(STAGES))
    assert all(record.state == "intent" for record in found.values())
