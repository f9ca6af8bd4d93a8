"""The connection that the emulator offers for what comparable services have is read without a complaint."""

import json

import pytest

from airflow_video_creation.emulator import Emulator
from airflow_video_creation.provider.connection.paths import FURTHER_PATHS
from airflow_video_creation.provider.connection.profile import ServiceProfile


@pytest.fixture
def emulator():
    options = {
        "idempotency_header": "Idempotency-Key",
        "webhook_max_length": 200,
        "dialect": {
            "user_id_header": None,
            "decodes_text": False,
            "list_fields": {
                "minutes_left": "left.minutes",
                "name": "title",
                "videoName": "request.name",
                "created_at": "started",
                "videoDescription": "request.text",
            },
        },
    }
    with Emulator(instant=True, **options) as emulator:
        yield emulator


def test_the_further_connection_is_read_as_it_was_meant(emulator):
    connection = json.loads(emulator.further_connection_json)
    del connection["conn_type"]
    profile = ServiceProfile.from_connection("emulator", **connection)
    assert profile.warnings == ()
    assert set(FURTHER_PATHS) <= set(profile.paths)
    assert profile.idempotency_header == "Idempotency-Key"
    assert profile.webhook_max_length == 200
    assert profile.user_id_header is None
    assert profile.escape_text is False
    assert profile.reply_fields == {
        "quota_minutes": "left.minutes",
        "voice": "title",
        "job_name": "request.name",
        "job_submitted_at": "started",
        "job_marker": "request.text",
    }
