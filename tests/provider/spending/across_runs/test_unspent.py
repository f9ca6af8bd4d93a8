"""What a planned run never sent, by what the tasks behind its plan left once it has ended."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.spending.across_runs.unspent import unspent_videos
from airflow_video_creation.provider.videos.video_outcome import VideoOutcome

PLANNED = ("a", "b")
DELIVERED = VideoOutcome("a", "delivered", "s-1", "r-1", "/videos/a.mp4", 1.0).to_xcom()
NOT_SENT = VideoOutcome("B", "skipped", error="SpendingStoppedError", message="Nothing was sent.").to_xcom()
STORYBOARD_ONLY = VideoOutcome("B", "skipped", "s-2", message="Nothing more was sent.").to_xcom()
FAILED = VideoOutcome("B", "failed", error="JobFailedError", message="No.").to_xcom()
IN_DOUBT = VideoOutcome("B", "in-doubt", message="Perhaps.").to_xcom()
TOO_LONG = VideoOutcome("B" * 200, "skipped", "s" * 90, message="Nothing more was sent.").to_xcom()


@pytest.mark.parametrize(
    ("states", "told", "unspent"),
    [
        pytest.param({}, {}, set(), id="nobody knows who makes them"),
        pytest.param({"make": []}, {}, {"a", "b"}, id="never began"),
        pytest.param({"make": [None]}, {}, {"a", "b"}, id="never scheduled"),
        pytest.param({"make": ["upstream_failed"], "more": ["skipped"]}, {}, {"a", "b"}, id="none ran"),
        pytest.param({"make": ["success"]}, {}, set(), id="ran, and tells nothing"),
        pytest.param({"make": ["failed"]}, {"make": []}, set(), id="killed"),
        pytest.param({"make": ["failed"]}, {"make": [[DELIVERED, NOT_SENT]]}, {"b"}, id="one was not sent"),
        pytest.param({"make": ["failed"]}, {"make": [[DELIVERED, STORYBOARD_ONLY]]}, set(), id="half sent"),
        pytest.param({"make": ["failed"]}, {"make": [[DELIVERED, FAILED]]}, set(), id="failed: perhaps paid"),
        pytest.param({"make": ["failed"]}, {"make": [[DELIVERED, IN_DOUBT]]}, set(), id="in doubt"),
        pytest.param(
            {"make": ["success", "failed"]}, {"make": [[NOT_SENT]]}, set(), id="a map index tells nothing"
        ),
        pytest.param(
            {"make": ["failed", "upstream_failed"]}, {"make": [[NOT_SENT]]}, {"b"}, id="a map index never ran"
        ),
        pytest.param(
            {"make": ["failed"], "again": ["success"]}, {"make": [[NOT_SENT]]}, set(), id="another task ran"
        ),
        pytest.param({"make": ["failed"]}, {"make": ["odd"]}, set(), id="odd"),
        pytest.param({"make": ["failed"]}, {"make": [[5, {"state": "skipped"}]]}, set(), id="odder"),
    ],
)
def test_only_what_was_certainly_never_sent_is_free_again(states: Any, told: Any, unspent: set[str]) -> None:
    assert unspent_videos(PLANNED, states, told) == unspent


def test_a_row_that_has_lost_its_job_ids_says_nothing() -> None:
    assert "storyboard_job_id" not in TOO_LONG
    assert unspent_videos(["b" * 200], {"make": ["failed"]}, {"make": [[TOO_LONG]]}) == set()
