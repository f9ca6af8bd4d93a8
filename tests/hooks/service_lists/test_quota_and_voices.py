"""What the hook tells of the service's quota and voices, and how it checks a speaker against them."""

from __future__ import annotations

from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowException, AirflowFailException

from airflow_video_creation.hooks.service_lists.kept_voices import KEPT_FOR
from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.provider.errors import (
    ConfigurationError,
    InvalidRequestError,
    ServiceUnreachableError,
    UnreadableReplyError,
)

BASE = "https://video.example.com"
PATHS = {"voices": "/v2/voices", "quota": "/v2/quota"}
LIST = {"data": [{"id": "Joanna", "name": "Joanna"}, {"id": "Matthew", "name": "Matthew"}]}


def storyboard(speaker: Any = "Joanna") -> dict[str, Any]:
    voice = {"audio": {"aiVoiceOver": {"speaker": speaker}}} if speaker else {}
    return {"videoName": "news", "scenes": [{"text": "Hello"}], **voice}


@pytest.fixture
def a_hook(connect: Any, clock: Any) -> Any:
    """A hook as each task makes one, of a connection that names the lists."""
    connect(paths=PATHS)
    return lambda: VideoCreationHook(clock=clock.time, sleep=clock.sleep)


@pytest.fixture
def asked(requests_mock: Any) -> Any:
    """How often the service was asked for its voices: ``asked()``."""
    return lambda: len([seen for seen in requests_mock.request_history if seen.path == "/v2/voices"])


def test_voices_and_quota_are_told_as_the_service_has_them(a_hook: Any, requests_mock: Any, log: Any) -> None:
    requests_mock.get(f"{BASE}/v2/voices", json=LIST)
    requests_mock.get(f"{BASE}/v2/quota", json={"data": {"minutes_left": "587.5"}})

    assert a_hook().get_voices() == LIST["data"]
    assert a_hook().get_quota() == 587.5
    assert "587.5 minutes are left (field minutes_left)" in log()


def test_a_connection_may_name_the_fields(connect: Any, requests_mock: Any) -> None:
    connect(paths=PATHS, reply_fields={"quota_minutes": "plan.rest", "voice": "key"})
    requests_mock.get(f"{BASE}/v2/quota", json={"plan": {"rest": 4}, "minutes_left": 9})
    requests_mock.get(f"{BASE}/v2/voices", json=[{"key": "k-1", "name": "Joanna"}])

    assert VideoCreationHook().get_quota() == 4
    VideoCreationHook().check_speaker(storyboard("k-1"))
    with pytest.raises(InvalidRequestError):
        VideoCreationHook().check_speaker(storyboard("Joanna"))


def test_one_page_of_several_is_said_to_be_one(a_hook: Any, requests_mock: Any, log: Any) -> None:
    requests_mock.get(f"{BASE}/v2/voices", json={**LIST, "next_cursor": "abc"})

    assert len(a_hook().get_voices()) == 2
    assert "only one page is read" in log()


@pytest.mark.parametrize(("method", "path"), [("get_voices", "voices"), ("get_quota", "quota")])
def test_without_a_path_nothing_is_asked(hook: Any, requests_mock: Any, method: str, path: str) -> None:
    with pytest.raises(ConfigurationError, match=rf"set extra paths\.{path}"):
        getattr(hook, method)()

    assert requests_mock.call_count == 0


def test_a_quota_that_cannot_be_read_fails_at_once(a_hook: Any, requests_mock: Any) -> None:
    requests_mock.get(f"{BASE}/v2/quota", json={"credits": 4})

    with pytest.raises(ConfigurationError, match="its fields: credits") as error:
        a_hook().get_quota()
    assert isinstance(error.value, AirflowFailException)


def test_an_outage_is_for_a_retry(a_hook: Any, requests_mock: Any) -> None:
    requests_mock.get(f"{BASE}/v2/quota", text="<html>away</html>")

    with pytest.raises(UnreadableReplyError) as error:
        a_hook().get_quota()
    assert isinstance(error.value, AirflowException)
    assert not isinstance(error.value, AirflowFailException)


def test_an_unknown_speaker_is_refused_before_the_storyboard_is_sent(a_hook: Any, requests_mock: Any) -> None:
    requests_mock.get(f"{BASE}/v2/voices", json=LIST)

    with pytest.raises(
        InvalidRequestError, match=r"nothing was sent:\n .*speaker.* did you mean 'Matthew'\?"
    ):
        a_hook().create_storyboard(storyboard("Mathew"))
    assert {seen.method for seen in requests_mock.request_history} == {"GET"}


def test_a_known_speaker_is_sent(a_hook: Any, requests_mock: Any) -> None:
    requests_mock.get(f"{BASE}/v2/voices", json=LIST)
    requests_mock.post(f"{BASE}/api/v1/video/storyboard", json={"job_id": "j-1"})

    assert a_hook().create_storyboard(storyboard()) == "j-1"


def test_a_storyboard_without_a_speaker_asks_nothing(a_hook: Any, asked: Any) -> None:
    a_hook().check_speaker(storyboard(None))

    assert asked() == 0


def test_a_connection_that_names_no_list_asks_nothing(hook: Any, requests_mock: Any) -> None:
    hook.check_speaker(storyboard("anyone"))

    assert requests_mock.call_count == 0


def test_the_tasks_of_a_machine_ask_once_in_a_few_minutes(
    a_hook: Any, requests_mock: Any, asked: Any, clock: Any
) -> None:
    requests_mock.get(f"{BASE}/v2/voices", json=LIST)

    for _ in range(3):
        a_hook().check_speaker(storyboard("Joanna"))
    assert asked() == 1

    clock.now += KEPT_FOR
    a_hook().check_speaker(storyboard("Joanna"))
    assert asked() == 2


def test_a_voice_that_was_added_a_moment_ago_is_found(a_hook: Any, requests_mock: Any) -> None:
    requests_mock.get(f"{BASE}/v2/voices", json=LIST)
    a_hook().check_speaker(storyboard("Joanna"))
    requests_mock.get(f"{BASE}/v2/voices", json={"data": [*LIST["data"], {"name": "newsroom-evening"}]})

    a_hook().check_speaker(storyboard("newsroom-evening"))


def test_another_user_id_asks_for_its_own_voices(
    a_hook: Any, requests_mock: Any, asked: Any, clock: Any
) -> None:
    requests_mock.get(f"{BASE}/v2/voices", json=LIST)
    a_hook().check_speaker(storyboard("Joanna"))

    VideoCreationHook(user_id="editor-2", clock=clock.time).check_speaker(storyboard("Joanna"))
    assert asked() == 2


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"status_code": 503}, "could not be listed"),
        ({"status_code": 403, "json": {"message": "no"}}, "could not be listed"),
        ({"status_code": 404}, "could not be listed"),
        ({"text": "<html>"}, "could not be listed"),
        ({"json": {"greeting": "hello"}}, "could not be listed"),
        ({"json": {"success": False, "message": "too many requests"}}, "could not be listed"),
        ({"json": {"data": []}}, "names no voice that can be read"),
        ({"json": {"data": [{"uuid": "x"}]}}, "names no voice that can be read"),
        ({"json": {**LIST, "next_cursor": "abc"}}, "has further pages"),
    ],
)
def test_a_list_that_cannot_tell_stops_no_video_and_is_told_once(
    a_hook: Any, requests_mock: Any, asked: Any, log: Any, answer: dict[str, Any], words: str
) -> None:
    requests_mock.get(f"{BASE}/v2/voices", **answer)
    hook = a_hook()

    hook.check_speaker(storyboard("nobody"))
    hook.check_speaker(storyboard("somebody"))
    assert log().count(words) == 1
    assert asked() == 1


def test_what_cannot_tell_is_not_kept_for_others(a_hook: Any, requests_mock: Any, asked: Any) -> None:
    requests_mock.get(f"{BASE}/v2/voices", status_code=503)
    a_hook().check_speaker(storyboard("Joanna"))
    requests_mock.get(f"{BASE}/v2/voices", json=LIST)

    with pytest.raises(InvalidRequestError):
        a_hook().check_speaker(storyboard("nobody"))
    assert asked() == 2


def test_a_service_that_hangs_holds_no_video_up(connect: Any, service: Any, log: Any) -> None:
    connect(service.url, paths=PATHS, read_timeout=0.1)
    service.will("hang")

    VideoCreationHook().check_speaker(storyboard("Joanna"))
    assert "could not be listed" in log()
    assert service.asked.wait(10)
    assert len(service.seen) == 1


def test_an_unreachable_service_is_told_by_its_own_error(connect: Any, service: Any, clock: Any) -> None:
    connect(service.url, paths=PATHS)
    service.stop_listening()

    with pytest.raises(ServiceUnreachableError):
        VideoCreationHook(clock=clock.time, sleep=clock.sleep).get_quota()
