"""What is registered at the service, listed, changed and deleted, where the connection names the paths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import requests
from airflow.providers.common.compat.sdk import AirflowFailException

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.provider.errors import ConfigurationError, NotFoundError, PermissionDeniedError

from ..sample_requests import AWS_CONNECTION

BASE = "https://video.example.com"
PATHS = {
    "aws_connection_list": "/connections",
    "aws_connection": "/connections/{connection_id}",
    "voiceover_track_list": "/tracks",
    "voiceover_track": "/tracks/{track_id}",
}
CONNECTION = {**AWS_CONNECTION, "connectionId": "c-9", "version": 3}


@pytest.fixture
def connected(connect: Any, clock: Any) -> Callable[..., VideoCreationHook]:
    """A hook whose connection names all paths, and what else a test gives."""

    def make(**extra: Any) -> VideoCreationHook:
        connect(paths=PATHS, **extra)
        return VideoCreationHook(clock=clock.time, sleep=clock.sleep)

    return make


@pytest.fixture
def able(connected: Any) -> VideoCreationHook:
    return connected()


def test_what_is_registered_is_listed(able: VideoCreationHook, requests_mock: Any) -> None:
    requests_mock.get(f"{BASE}/connections", json={"data": [CONNECTION]})
    requests_mock.get(f"{BASE}/tracks", json=[{"id": 5, "name": "Joan"}])

    assert able.list_aws_connections() == [CONNECTION]
    assert able.list_voiceover_tracks() == [{"id": 5, "name": "Joan"}]
    assert requests_mock.last_request.headers["X-Service-User-Id"] == "user-7"


def test_a_list_that_holds_back_some_is_told(able: VideoCreationHook, requests_mock: Any, log: Any) -> None:
    requests_mock.get(f"{BASE}/tracks", json={"data": [{"id": 5}], "total": 40})

    assert able.list_voiceover_tracks() == [{"id": 5}]
    assert "names 1 of them and has more" in log()
    assert "extra paths.voiceover_track_list" in log()


@pytest.mark.parametrize(
    ("ask", "key"),
    [
        (lambda hook: hook.list_aws_connections(), "aws_connection_list"),
        (lambda hook: hook.list_voiceover_tracks(), "voiceover_track_list"),
        (lambda hook: hook.set_aws_connection_enabled("c-9", False), "aws_connection"),
        (lambda hook: hook.delete_aws_connection("c-9"), "aws_connection"),
        (lambda hook: hook.delete_voiceover_track(5), "voiceover_track"),
    ],
)
def test_a_path_that_the_connection_must_name_is_told(
    hook: VideoCreationHook, requests_mock: Any, ask: Any, key: str
) -> None:
    with pytest.raises(ConfigurationError, match=rf"set extra paths\.{key} ") as stopped:
        ask(hook)

    assert isinstance(stopped.value, AirflowFailException)
    assert not requests_mock.called


def test_a_connection_is_disabled_by_a_patch_of_one_field(
    able: VideoCreationHook, requests_mock: Any, log: Any
) -> None:
    requests_mock.patch(f"{BASE}/connections/c-9", json={**CONNECTION, "enabled": False})

    assert able.set_aws_connection_enabled("c-9", False)["enabled"] is False
    assert requests_mock.last_request.json() == {"enabled": False}
    assert "AWS connection c-9 was disabled" in log()


def test_where_the_service_takes_a_put_the_whole_connection_is_sent(
    connected: Any, requests_mock: Any
) -> None:
    requests_mock.get(f"{BASE}/connections/c-9", json={"data": {**CONNECTION, "enabled": False}})
    requests_mock.put(f"{BASE}/connections/c-9", status_code=204)

    assert connected(update_method="PUT").set_aws_connection_enabled("c-9", True) == {}
    assert requests_mock.last_request.json() == AWS_CONNECTION


def test_a_text_is_not_taken_for_true(able: VideoCreationHook, requests_mock: Any) -> None:
    """A template gives the text "False", which Python takes for true."""
    with pytest.raises(ConfigurationError, match="enabled must be True or False, not 'False'"):
        able.set_aws_connection_enabled("c-9", "False")  # type: ignore[arg-type]
    assert not requests_mock.called


def test_a_connection_that_is_not_there_cannot_be_enabled(
    able: VideoCreationHook, requests_mock: Any
) -> None:
    requests_mock.patch(f"{BASE}/connections/c-9", status_code=404)

    with pytest.raises(NotFoundError, match=r"Check the id, .*extra paths\.aws_connection"):
        able.set_aws_connection_enabled("c-9", True)


@pytest.mark.parametrize(
    ("path", "delete"),
    [
        ("/connections/c-9", lambda hook: hook.delete_aws_connection("c-9")),
        ("/tracks/5", lambda hook: hook.delete_voiceover_track(5)),
    ],
)
class TestDeleting:
    def test_it_is_deleted(self, able: VideoCreationHook, requests_mock: Any, path: str, delete: Any) -> None:
        requests_mock.delete(f"{BASE}{path}", status_code=204)

        assert delete(able) is True

    def test_what_the_service_does_not_know_counts_as_deleted_and_is_logged(
        self, able: VideoCreationHook, requests_mock: Any, path: str, delete: Any, log: Any
    ) -> None:
        requests_mock.delete(f"{BASE}{path}", status_code=404)

        assert delete(able) is False
        assert "It counts as deleted" in log()
        assert "Check the id, and the host and extra paths." in log()

    def test_after_no_answer_it_is_asked_again(
        self, able: VideoCreationHook, requests_mock: Any, path: str, delete: Any
    ) -> None:
        late = {"exc": requests.exceptions.ReadTimeout}
        requests_mock.delete(f"{BASE}{path}", [late, {"status_code": 503}, {"status_code": 404}])

        assert delete(able) is False
        assert requests_mock.call_count == 3

    def test_what_the_service_forbids_is_told(
        self, able: VideoCreationHook, requests_mock: Any, path: str, delete: Any
    ) -> None:
        requests_mock.delete(f"{BASE}{path}", status_code=403)

        with pytest.raises(PermissionDeniedError):
            delete(able)
