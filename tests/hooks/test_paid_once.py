"""A submission that the service may have acted on is sent once, whatever stands between."""

import json
import socket
import threading
from collections.abc import Iterator

import pytest

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.provider.protocol.errors import AmbiguousSubmissionError, ServiceError

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}


class ResettingProxy:
    """An HTTP proxy that reads each request whole and then closes the connection without an answer."""

    def __init__(self, listener: socket.socket) -> None:
        self.address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self.posts = 0
        self._listener = listener

    def serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection:
                if b"POST" in connection.recv(65536):
                    self.posts += 1


@pytest.fixture
def proxy() -> Iterator[ResettingProxy]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        proxy = ResettingProxy(listener)
        threading.Thread(target=proxy.serve, daemon=True).start()
        yield proxy
        listener.shutdown(socket.SHUT_RDWR)


def test_an_answer_lost_behind_a_proxy_is_in_doubt(proxy, monkeypatch):
    connection = {
        "conn_type": "video_creation",
        "host": "http://service.example.com",
        "password": "a-token-of-ours",
        "extra": {"user_id": "ada", "allow_http": True, "proxies": {"http": proxy.address}},
    }
    monkeypatch.setenv("AIRFLOW_CONN_VIDEO_CREATION_DEFAULT", json.dumps(connection))
    with pytest.raises(AmbiguousSubmissionError, match="may be paid for"):
        VideoCreationHook(sleep=lambda seconds: None).create_storyboard(STORYBOARD)
    assert proxy.posts == 1


@pytest.mark.parametrize("fault", [{"kind": "status", "status": 503}, {"kind": "reset"}])
def test_a_401_is_answered_by_at_most_one_more_submission(video_creation_emulator, monkeypatch, fault):
    emulator = video_creation_emulator
    monkeypatch.setenv("AIRFLOW_CONN_VIDEO_CREATION_DEFAULT", emulator.fetching_connection_json)
    hook = VideoCreationHook(sleep=lambda seconds: None)
    hook.get_job(hook.create_storyboard(STORYBOARD))
    emulator.admin.add_fault("status", on="storyboard", status=401)
    emulator.admin.add_fault(on="token", **fault)
    before = len(emulator.admin.calls(operation="storyboard"))
    with pytest.raises(ServiceError):
        hook.create_storyboard(STORYBOARD)
    assert len(emulator.admin.calls(operation="storyboard")) - before == 1
