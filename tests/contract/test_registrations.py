"""Connections and voices, registered at a running service."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.provider.errors import AmbiguousSubmissionError

from ..sample_requests import AWS_CONNECTION, VOICEOVER_TRACK

REGISTER = {
    "aws_connections": lambda: VideoCreationHook().register_aws_connection(AWS_CONNECTION),
    "voiceover_tracks": lambda: VideoCreationHook().add_voiceover_track(VOICEOVER_TRACK),
}


@pytest.fixture
def emulator(video_creation_emulator: Any) -> Any:
    return video_creation_emulator


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("operation", REGISTER)
def test_a_500_may_have_registered_it_so_it_is_sent_once(emulator: Any, operation: str, when: str) -> None:
    emulator.admin.add_fault("status", status=500, on=operation, when=when)

    with pytest.raises(AmbiguousSubmissionError, match=r"500.*not\s+sent again"):
        REGISTER[operation]()

    calls = emulator.admin.calls(operation=operation)
    assert [call["acted"] for call in calls] == [when == "after"]
