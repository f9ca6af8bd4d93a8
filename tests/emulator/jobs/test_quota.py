"""How much of the quota a video takes."""

from typing import Any

import pytest

from airflow_video_creation.emulator.jobs.quota import Quota, estimated_seconds


@pytest.mark.parametrize(
    ("scenes", "seconds"),
    [
        ([], 0),
        ([{}], 2),
        ([{"text": "Short."}], 2),
        ([{"text": "x" * 90}], 6),
        ([{"text": "<emphasis>" + "x" * 90 + "</emphasis>"}], 6),
        ([{"text": "Short.", "minimumDuration": 12.5}, {}], 14.5),
    ],
)
def test_a_video_is_as_long_as_its_texts_are_read(scenes: list[dict[str, Any]], seconds: float) -> None:
    assert estimated_seconds({"videoName": "v", "scenes": scenes}) == seconds


def test_a_storyboard_without_scenes_takes_nothing() -> None:
    assert estimated_seconds({"videoName": "v"}) == 0


def test_a_quota_may_be_used_up_to_its_last_second() -> None:
    quota = Quota.of(10, 540)
    assert (quota.minutes_used, quota.minutes_left) == (9, 1)
    assert quota.covers(60)
    assert not quota.covers(61)


def test_a_quota_that_was_lowered_has_nothing_left() -> None:
    assert Quota.of(1, 600).minutes_left == 0
