"""What is remembered of the storyboard of one of many videos, to tell whether it has changed since it was sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..submission.record import Submission
from ..submission.request_digests import changes, digest_of, digests_of


def asked_storyboard(name: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The storyboard with one digest for each field, since the records of many videos stand together (source: ours).

    :param name: of the video.
    :param body: that is sent.
    """
    return {
        "videoName": name,
        **{field: digest_of(value) for field, value in body.items() if field != "videoName"},
    }


def changed_fields(name: str, body: Mapping[str, Any], sent: Submission) -> list[str]:
    """The fields of a storyboard that differ from those that were sent (source: ours).

    :param name: of the video.
    :param body: that would be sent now.
    :param sent: the record of the submission; none of its fields are known of a job that a person named.
    """
    return changes(sent.digests, digests_of(asked_storyboard(name, body))) if sent.digests else []
