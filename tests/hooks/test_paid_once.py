"""A submission that the service may have acted on is sent once, whatever stands between."""

import json
import os
import socket
import ssl
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
import urllib3
from urllib3.connection import HTTPSConnection
from urllib3.connectionpool import HTTPSConnectionPool

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.provider.errors import AmbiguousSubmissionError, ServiceError

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


class BreakingTlsService:
    """A service that breaks TLS after so many bytes of a request: with clear text, or by ending the connection.

    :param how: ``clear text``, ``reset`` or ``end``.
    :param after: how many bytes it reads before; None for a whole request.
    """

    def __init__(self, certificate, how, after):
        self.posts = 0
        self._how, self._after = how, after
        self._tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._tls.load_cert_chain(certificate)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"https://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def stop(self):
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _serve(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection, suppress(OSError):
                self._break(connection)

    def _break(self, connection):
        beneath = socket.socket(fileno=os.dup(connection.fileno()))
        with beneath, self._tls.wrap_socket(connection, server_side=True) as talk:
            read = talk.recv(self._after or 65536)
            while self._after is None and not read.endswith(b"}"):
                read += talk.recv(65536)
            self.posts += read.startswith(b"POST")
            if self._how == "clear text":
                beneath.sendall(b"HTTP/1.1 502 This is no TLS\r\n\r\n")
            elif self._how == "reset":
                beneath.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@pytest.mark.parametrize("scenes", [1, 20_000], ids=["small", "large"])
@pytest.mark.parametrize("how", ["clear text", "reset", "end"])
@pytest.mark.parametrize("after", [None, 100], ids=["after the request", "while it is written"])
def test_tls_that_breaks_once_a_submission_is_begun_leaves_it_in_doubt(
    certificate, monkeypatch, how, after, scenes
):
    service = BreakingTlsService(certificate, how, after)
    connection = {
        "conn_type": "video_creation",
        "host": service.address,
        "password": "a-token-of-ours",
        "extra": {"user_id": "ada", "verify": str(certificate)},
    }
    monkeypatch.setenv("AIRFLOW_CONN_VIDEO_CREATION_DEFAULT", json.dumps(connection))
    storyboard = {"videoName": "v", "scenes": [{"text": "A scene of some length."}] * scenes}
    with pytest.raises(AmbiguousSubmissionError, match="may be paid for"):
        VideoCreationHook(sleep=lambda seconds: None).create_storyboard(storyboard)
    service.stop()
    assert service.posts == 1


@pytest.mark.parametrize("fault", [{"kind": "status", "status": 503}, {"kind": "reset"}])
def test_a_401_is_answered_by_at_most_one_more_submission(video_creation_emulator, monkeypatch, fault):
    emulator = video_creation_emulator
    monkeypatch.setenv("AIRFLOW_CONN_VIDEO_CREATION_DEFAULT", emulator.fetching_connection_json)
    hook = VideoCreationHook(sleep=lambda seconds: None)
    hook.get_job(hook.create_storyboard(STORYBOARD))
    emulator.admin.add_fault("status", on="storyboard", status=401)
    emulator.admin.add_fault(on="token", nth=[1], **fault)
    before = len(emulator.admin.calls(operation="storyboard"))
    with pytest.raises(ServiceError):
        hook.create_storyboard(STORYBOARD)
    assert len(emulator.admin.calls(operation="storyboard")) - before == 1


class SocksProxyManager(urllib3.PoolManager):
    """Connects through a SOCKS proxy as urllib3 does, but without the library for that and the proxy's greeting.

    :param proxy: the URL of the proxy.
    :param options: of the connections.
    """

    def __init__(self, proxy, username=None, password=None, **options):
        super().__init__(**options)
        address = urlsplit(proxy)

        class Connection(HTTPSConnection):
            def _new_conn(self):
                return socket.create_connection((address.hostname, address.port))

        class Pool(HTTPSConnectionPool):
            ConnectionCls = Connection

        self.pool_classes_by_scheme = {"https": Pool}


def test_tls_that_breaks_behind_a_socks_proxy_leaves_a_submission_in_doubt(certificate, monkeypatch):
    monkeypatch.setattr("requests.adapters.SOCKSProxyManager", SocksProxyManager)
    service = BreakingTlsService(certificate, "clear text", None)
    connection = {
        "conn_type": "video_creation",
        "host": "https://127.0.0.1:1",
        "password": "a-token-of-ours",
        "extra": {
            "user_id": "ada",
            "verify": str(certificate),
            "proxies": {"https": service.address.replace("https:", "socks5:")},
        },
    }
    monkeypatch.setenv("AIRFLOW_CONN_VIDEO_CREATION_DEFAULT", json.dumps(connection))
    with pytest.raises(AmbiguousSubmissionError, match="may be paid for"):
        VideoCreationHook(sleep=lambda seconds: None).create_storyboard(STORYBOARD)
    service.stop()
    assert service.posts == 1
