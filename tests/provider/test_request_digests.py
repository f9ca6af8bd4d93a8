"""Requests are compared by digests."""

from airflow_video_creation.provider.request_digests import changes, digests_of


def test_many_changes_are_counted():
    before = digests_of({str(n): n for n in range(20)})
    assert changes(before, {})[-1] == "and 10 more"
