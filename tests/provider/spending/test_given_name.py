"""The name under which a storyboard that is not checked would be sent."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.models import Storyboard
from airflow_video_creation.provider.spending.given_name import given_name


@pytest.mark.parametrize(
    "name", ["news", "n\u00e9ws", 5, -3, 7.0, 7.5, 10**30], ids=lambda name: f"{type(name).__name__} {name}"
)
def test_it_is_the_name_that_is_sent(name: Any) -> None:
    storyboard = {"videoName": name, "scenes": [{"text": "t"}]}

    sent = Storyboard.read(storyboard)

    assert given_name(storyboard) == sent.video_name
    assert given_name(sent) == sent.video_name


@pytest.mark.parametrize(
    "storyboard",
    [None, 5, [], "no storyboard", "{", {}]
    + [{"videoName": name} for name in (None, True, ["news"], float("nan"), float("inf"))],
    ids=repr,
)
def test_a_storyboard_that_cannot_be_sent_may_have_none(storyboard: Any) -> None:
    assert given_name(storyboard) is None
