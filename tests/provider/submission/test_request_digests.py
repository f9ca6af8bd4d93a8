"""Requests are compared by digests."""

from airflow_video_creation.provider.submission.request_digests import changes, digests_of


def test_many_changes_are_counted():
    before = digests_of({str(n): n for n in range(20)})
    assert changes(before, {})[-1] == "and 10 more"


def test_a_difference_after_the_first_two_hundred_fields_is_seen_too():
    before = digests_of({"name": "n", "scenes": [*range(300), "a"]})
    after = digests_of({"name": "n", "scenes": [*range(300), "b"]})
    assert len(before) == 201
    assert changes(before, after) == ["scenes (the rest)"]
