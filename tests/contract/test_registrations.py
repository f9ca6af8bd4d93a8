"""Connections and voices, registered at a running service."""

from __future__ import annotations

import json
from typing import Any

import pytest

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.operators.aws_connection import RegisterAwsConnectionOperator
from airflow_video_creation.operators.voiceover import AddVoiceoverTrackOperator
from airflow_video_creation.provider.errors import AmbiguousSubmissionError, ServiceFailureError

from ..sample_requests import AWS_CONNECTION, VOICEOVER_TRACK

CONNECTIONS, TRACKS = "/serviceapis/v1/awsconnections", "/serviceapis/v1/voiceovers/tracks"
PATHS = {
    "aws_connection_list": CONNECTIONS,
    "aws_connection": f"{CONNECTIONS}/{{connection_id}}",
    "voiceover_track_list": TRACKS,
    "voiceover_track": f"{TRACKS}/{{track_id}}",
}
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


def connected(emulator: Any, monkeypatch: pytest.MonkeyPatch, **extra: Any) -> VideoCreationHook:
    """A hook whose connection names what this service has and the interface does not show."""
    connection = json.loads(emulator.connection_json)
    connection["extra"] = {**connection["extra"], "paths": PATHS, **extra}
    monkeypatch.setenv("AIRFLOW_CONN_VIDEO_CREATION_DEFAULT", json.dumps(connection))
    return VideoCreationHook()


DIALECTS: list[dict[str, Any]] = [
    *({"list_envelope": place} for place in ("data", "items", "plural", "bare")),
    {"list_fields": {"connectionId": "id", "awsAccountId": "aws_account_id", "awsRegion": "region"}},
]


@pytest.mark.parametrize("dialect", DIALECTS, ids=json.dumps)
@pytest.mark.parametrize(
    "operator",
    [
        lambda: RegisterAwsConnectionOperator(task_id="t", connection=AWS_CONNECTION, if_exists="return"),
        lambda: AddVoiceoverTrackOperator(task_id="t", track=VOICEOVER_TRACK, if_exists="return"),
    ],
    ids=["connection", "track"],
)
def test_a_second_task_returns_what_the_first_one_registered(
    emulator: Any, monkeypatch: pytest.MonkeyPatch, operator: Any, dialect: dict[str, Any]
) -> None:
    connected(emulator, monkeypatch)
    emulator.admin.change(dialect=dialect)
    first, second = operator(), operator()

    assert first.execute({})[first.id_field] == second.execute({})[second.id_field]
    assert sum(call["method"] == "POST" for call in emulator.admin.calls()) == 1


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_500_is_settled_by_the_list(emulator: Any, monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    hook = connected(emulator, monkeypatch)
    emulator.admin.add_fault("status", status=500, on="aws_connections", when=when, nth=[1])
    operator = RegisterAwsConnectionOperator(task_id="t", connection=AWS_CONNECTION, if_exists="return")

    if when == "before":
        with pytest.raises(ServiceFailureError, match="A retry checks the list again"):
            operator.execute({})
    registered = operator.execute({})

    assert [one["connectionId"] for one in hook.list_aws_connections()] == [registered["connectionId"]]


@pytest.mark.parametrize("method", ["PATCH", "PUT"])
def test_a_connection_is_disabled_and_enabled_again(
    emulator: Any, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    hook = connected(emulator, monkeypatch, update_method=method)
    registered = hook.register_aws_connection(AWS_CONNECTION)

    hook.set_aws_connection_enabled(registered["connectionId"], False)
    assert [one["enabled"] for one in hook.list_aws_connections()] == [False]

    hook.set_aws_connection_enabled(registered["connectionId"], True)
    (again,) = hook.list_aws_connections()
    assert {**again, "version": 1} == {**registered, "version": 1}


def test_what_is_deleted_is_gone_and_its_name_is_free(emulator: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    hook = connected(emulator, monkeypatch)
    connection_id = hook.register_aws_connection(AWS_CONNECTION)["connectionId"]
    track_id = hook.add_voiceover_track(VOICEOVER_TRACK)["id"]

    assert [hook.delete_aws_connection(connection_id) for _ in range(2)] == [True, False]
    assert [hook.delete_voiceover_track(track_id) for _ in range(2)] == [True, False]

    assert (hook.list_aws_connections(), hook.list_voiceover_tracks()) == ([], [])
    assert hook.add_voiceover_track(VOICEOVER_TRACK)["id"]


@pytest.mark.parametrize("kind", ["reset", "status"])
def test_a_deletion_without_an_answer_is_asked_for_again(
    emulator: Any, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    hook = connected(emulator, monkeypatch)
    connection_id = hook.register_aws_connection(AWS_CONNECTION)["connectionId"]
    emulator.admin.add_fault(kind, on=f"{CONNECTIONS}/*", when="after", nth=[1])

    assert hook.delete_aws_connection(connection_id) is False
    assert hook.list_aws_connections() == []
