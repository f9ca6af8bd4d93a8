"""The fixtures that this package brings to other people's tests."""

import os

from airflow.sdk import Connection

from airflow_video_creation.emulator import Emulator


def test_airflows_default_connection_leads_to_the_emulator(video_creation_emulator: Emulator) -> None:
    connection = Connection.from_json(
        os.environ["AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"], conn_id="video_creation_default"
    )
    assert f"{connection.host}:{connection.port}" == video_creation_emulator.base_url


def test_a_test_leaves_nothing_behind(video_creation_emulator: Emulator) -> None:
    video_creation_emulator.admin.add_fault("reset")
    video_creation_emulator.admin.change(job_seconds=7)


def test_the_next_one_starts_afresh(video_creation_emulator: Emulator) -> None:
    behaviour = video_creation_emulator.admin.behaviour()
    assert (behaviour["faults"], behaviour["job_seconds"]) == ([], None)
    assert video_creation_emulator.admin.jobs() == []
    assert video_creation_emulator.admin.calls() == []
