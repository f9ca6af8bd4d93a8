"""What a DAG's author gives a feed's trigger, and what Airflow keeps of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from airflow.sdk import Asset, AssetWatcher
from airflow.triggers.base import BaseEventTrigger

from airflow_video_creation.triggers.feed import FeedEventTrigger

FEED = "https://www.example.com/feed.xml"


def again(trigger: FeedEventTrigger, **more: Any) -> FeedEventTrigger:
    """The trigger as a triggerer makes it of what is stored."""
    _, kwargs = trigger.serialize()
    return FeedEventTrigger(**kwargs, **more)


def test_an_asset_is_watched_by_it() -> None:
    asset = Asset("news", watchers=[AssetWatcher(name="feed", trigger=FeedEventTrigger(FEED))])
    assert isinstance(asset.watchers[0].trigger, BaseEventTrigger)


def test_it_is_the_same_after_it_was_stored() -> None:
    trigger = FeedEventTrigger(FEED, podcast=True, poll_interval=30, lookback=timedelta(hours=2))
    assert again(trigger).serialize() == trigger.serialize()
    assert trigger.serialize()[1]["lookback"] == 7200


def test_what_a_later_release_has_stored_is_left_aside() -> None:
    assert again(FeedEventTrigger(FEED), colour="red").feed_url == FEED


@pytest.mark.parametrize(
    ("arguments", "the_same"),
    [
        ({"lookback": 5}, True),
        ({"remember": "mine"}, True),
        ({"poll_interval": 300}, False),
        ({"respect_ttl": False}, False),
        ({"respect_robots": False}, False),
        ({"podcast": True}, False),
    ],
)
def test_watchers_that_look_in_the_same_way_share_their_looks(
    arguments: dict[str, Any], the_same: bool
) -> None:
    keys = [
        FeedEventTrigger(FEED).shared_stream_key(),
        FeedEventTrigger(FEED, **arguments).shared_stream_key(),
    ]
    assert (keys[0] == keys[1]) is the_same


@pytest.mark.parametrize(
    "arguments",
    [
        {"feed_url": "feed.xml"},
        {"feed_url": "ftp://www.example.com/feed.xml"},
        {"feed_url": "https://"},
        {"feed_url": None},
        {"feed_url": FEED, "poll_interval": 1},
        {"feed_url": FEED, "poll_interval": float("nan")},
        {"feed_url": FEED, "poll_interval": float("inf")},
        {"feed_url": FEED, "poll_interval": True},
        {"feed_url": FEED, "poll_interval": "60"},
        {"feed_url": FEED, "lookback": -1},
    ],
)
def test_what_is_wrong_is_told_when_the_dag_is_parsed(arguments: dict[str, Any]) -> None:
    """As a TypeError: any other error, of a trigger that another release has stored, would end a triggerer."""
    with pytest.raises(TypeError, match="FeedEventTrigger"):
        FeedEventTrigger(**arguments)


def test_a_password_is_refused_and_not_repeated() -> None:
    with pytest.raises(TypeError, match="user name or a password") as refused:
        FeedEventTrigger("https://ann:secret@www.example.com/feed.xml")
    assert "secret" not in str(refused.value)
