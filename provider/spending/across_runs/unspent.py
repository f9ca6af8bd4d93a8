"""Which videos of a planned run were never sent, by what the tasks behind its plan left."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from ..run_summary import CUT

ENDED_RUN = ("success", "failed")
NEVER_SENT = (None, "skipped", "upstream_failed", "removed")
"""States of a task, in a run that has ended, in which it sent nothing."""


def unspent_videos(
    planned: Collection[str],
    states: Mapping[str, Iterable[str | None]],
    told: Mapping[str, Iterable[Any]],
) -> set[str]:
    """The videos that no task of an ended run has sent (source: ours).

    :param planned: the names, in small letters.
    :param states: task behind the plan -> states of its map indexes.
    :param told: task that makes many videos -> what each map index that ran said of them.
    """
    unspent = set(planned)
    if not states:
        # Whoever makes the videos is not known.
        return set()
    for task, of_indexes in states.items():
        ran = [state for state in of_indexes if state not in NEVER_SENT]
        if not ran:
            continue
        results = list(told.get(task, ()))
        # A worker that was killed told nothing.
        if len(results) < len(ran) or not all(isinstance(videos, list) for videos in results):
            return set()
        unspent &= {
            str(video["name"]).casefold()
            for videos in results
            for video in videos
            if isinstance(video, Mapping) and _was_not_sent(video)
        }
    return unspent


def _was_not_sent(video: Mapping[str, Any]) -> bool:
    """Whether a row of ``CreateVideosOperator`` says so for certain.

    Of a row that has no room job ids are left out, once its message is cut to nothing.
    """
    has_job = "storyboard_job_id" in video or "render_job_id" in video
    return video.get("state") == "skipped" and not has_job and video.get("message") not in (None, "", CUT)
