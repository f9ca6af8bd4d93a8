"""The fixtures that this package brings to other people's tests."""

import os
from typing import Any

import pytest
from airflow.sdk import Connection

from airflow_video_creation.emulator import Emulator


def test_airflows_default_connection_leads_to_the_emulator(video_creation_emulator: Emulator) -> None:
    connection = Connection.from_json(
        os.environ["AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"], conn_id="video_creation_default"
    )
    assert f"{connection.host}:{connection.port}" == video_creation_emulator.base_url


def test_a_test_finds_nothing_of_the_one_before(
    video_creation_emulator_server: Emulator, call_emulator: Any, request: pytest.FixtureRequest
) -> None:
    admin = video_creation_emulator_server.admin
    call_emulator(video_creation_emulator_server).storyboard()
    admin.add_fault("reset")
    admin.change(job_seconds=7)
    assert admin.jobs()

    emulator = request.getfixturevalue("video_creation_emulator")

    behaviour = emulator.admin.behaviour()
    assert (behaviour["faults"], behaviour["job_seconds"]) == ([], None)
    assert emulator.admin.jobs() == []
    assert emulator.admin.calls() == []
