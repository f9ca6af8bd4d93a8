"""Which videos a run makes: what is wrong, a duplicate or too much is left out, and stops no other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.errors import InvalidRequestError, Problem
from airflow_video_creation.provider.models import Storyboard
from airflow_video_creation.provider.spending.video_plan import VideoPlan, plan_videos


def storyboard(name: str, minutes: float = 1.0) -> dict[str, Any]:
    """A storyboard whose video is estimated to last exactly so long."""
    return {"videoName": name, "scenes": [{"text": "x", "minimumDuration": minutes * 60}]}


def decided(plan: VideoPlan) -> dict[str, str | None]:
    return {video.video: video.reason for video in plan.videos}


def test_without_limits_all_are_made_in_the_order_given() -> None:
    plan = plan_videos([storyboard("b"), storyboard("a", 2.5)])

    assert [video.video for video in plan.made] == ["b", "a"]
    assert plan.made[0].storyboard == storyboard("b")
    assert plan.minutes == pytest.approx(3.5)
    assert plan.left_out == []


def test_one_that_is_wrong_stops_no_other_and_is_named_with_all_that_is_wrong() -> None:
    bad = {"videoName": "bad", "scenes": [{"textt": "x"}], "videoWidht": 3}
    plan = plan_videos([bad, storyboard("good"), "no storyboard at all", {"scenes": []}, None])

    reasons = decided(plan)
    assert reasons["good"] is None
    assert "scenes[0].textt" in str(reasons["bad"])
    assert "videoWidht" in str(reasons["bad"])
    assert list(reasons) == ["bad", "good", "storyboard 2", "storyboard 3"]
    assert "\n" not in str(reasons["bad"])


def test_a_wrong_text_is_named_too_and_a_skipped_one_keeps_its_place() -> None:
    plan = plan_videos([None, "videoName: news\nscenes: []", None, {"videoName": ["x"]}])

    assert list(decided(plan)) == ["news", "storyboard 3"]


def test_of_two_with_one_name_the_second_is_left_out() -> None:
    plan = plan_videos([storyboard("News"), storyboard("news")])

    assert [video.video for video in plan.made] == ["News"]
    assert "same videoName" in str(decided(plan)["news"])


def test_one_that_is_left_out_leaves_its_name_to_another() -> None:
    plan = plan_videos([storyboard("a", 9), storyboard("a", 1), storyboard("A", 1)], max_minutes=4)

    assert [video.seconds for video in plan.made] == [60]
    assert [(video.kind, video.reason) for video in plan.left_out] == [
        ("limit", "about 9.0 minutes, longer than all of max_minutes=4."),
        ("wrong", "an earlier storyboard of this run has the same videoName."),
    ]


def test_one_that_would_last_a_day_is_taken_for_wrong_and_stops_no_other() -> None:
    endless = {"videoName": "endless", "scenes": [{"text": f"<break time='{'9' * 400}s'/>x"}]}
    plan = plan_videos([endless, storyboard("b", 1e306), storyboard("c")])

    assert [video.video for video in plan.made] == ["c"]
    assert "24 hours" in str(decided(plan)["endless"])
    assert "minimumDuration" in str(decided(plan)["b"])
    assert plan.minutes == pytest.approx(1)


def test_max_videos_takes_the_first() -> None:
    plan = plan_videos([storyboard("a"), storyboard("b"), storyboard("c")], max_videos=2)

    assert decided(plan) == {"a": None, "b": None, "c": "more than max_videos=2."}


def test_one_that_is_too_long_leaves_the_room_to_shorter_ones() -> None:
    given = [storyboard("a", 2), storyboard("too long", 50), storyboard("long", 3), storyboard("b", 1)]
    plan = plan_videos(given, max_minutes=3)

    assert [video.video for video in plan.made] == ["a", "b"]
    assert decided(plan)["too long"] == "about 50.0 minutes, longer than all of max_minutes=3."
    assert decided(plan)["long"] == "about 3.0 minutes, and 1.0 of max_minutes=3 were left."
    assert [video.video for video in plan.left_out if video.no_room] == ["long"]


def test_the_quota_is_a_limit_beside_those_of_the_task() -> None:
    given = [storyboard("a", 2), storyboard("long", 3), storyboard("b", 1)]

    of_quota = plan_videos(given, max_minutes=9, quota_minutes=3)
    assert decided(of_quota) == {
        "a": None,
        "long": "about 3.0 minutes, and 1.0 of the quota were left.",
        "b": None,
    }
    of_both = plan_videos(given, max_minutes=2, quota_minutes=2)
    assert [video.video for video in of_both.made] == ["a"]
    assert plan_videos(given, quota_minutes=-1).made == []


def test_what_a_look_at_the_service_refuses_is_wrong_and_stops_no_other() -> None:
    def refuse_a(wire: Mapping[str, Any]) -> None:
        if wire["videoName"] == "a":
            raise InvalidRequestError("storyboard", [Problem("audio", "", "is refused")])

    plan = plan_videos([storyboard("a"), storyboard("b")], check=refuse_a)

    assert decided(plan) == {"a": "the storyboard is wrong: audio: is refused", "b": None}
    assert [video.video for video in plan.valid] == ["b"]


def test_what_is_given_may_be_a_model_or_a_text() -> None:
    plan = plan_videos(
        [Storyboard.read(storyboard("a")), '{"videoName": "b", "scenes": [{"text": "{{ 1/0 }}"}]}']
    )

    assert [video.video for video in plan.made] == ["a", "b"]
    assert dict(plan.made[1].storyboard or {})["scenes"] == [{"text": "{{ 1/0 }}"}]


def test_the_table_has_a_line_for_each() -> None:
    table = plan_videos([storyboard("a"), {"videoName": "bad"}, storyboard("c")], max_videos=1).table()

    head, a, bad, c = table.splitlines()
    assert head.split() == ["video", "scenes", "minutes", "decision"]
    assert a.split() == ["a", "1", "1.0", "make"]
    assert bad.startswith("bad")
    assert "scenes: " in bad
    assert c.endswith("left out: more than max_videos=1.")


def test_a_long_name_does_not_break_the_table() -> None:
    head, line = plan_videos([storyboard("n" * 90)]).table().splitlines()

    assert head.index("scenes") == line.index("1") - len("scene")
    assert line.startswith("n" * 57 + "... ")


@given(
    minutes=st.lists(st.floats(0.1, 30), max_size=20),
    max_videos=st.integers(1, 10) | st.none(),
    max_minutes=st.floats(1, 60) | st.none(),
)
def test_the_limits_hold_and_nothing_is_lost(
    minutes: list[float], max_videos: int | None, max_minutes: float | None
) -> None:
    given_ = [storyboard(f"v{number}", length) for number, length in enumerate(minutes)]
    plan = plan_videos(given_, max_videos=max_videos, max_minutes=max_minutes)

    assert len(plan.made) + len(plan.left_out) == len(minutes)
    assert max_videos is None or len(plan.made) <= max_videos
    assert max_minutes is None or plan.minutes <= max_minutes + 1e-6
