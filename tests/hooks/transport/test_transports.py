"""Both transports see the same world: what a reply is, and whether a request without one can have been seen."""

from __future__ import annotations

import asyncio
import gzip
import http.client
import re
import socket
import ssl
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import certifi
import pytest

from airflow_video_creation.hooks.transport import aiohttp_transport, requests_transport
from airflow_video_creation.hooks.transport.proxies import proxy_for
from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import ConfigurationError
from airflow_video_creation.provider.protocol.messages import HttpReply, HttpRequest, TransportFailure

Outcome = HttpReply | TransportFailure


def send_with_requests(request: HttpRequest, profile: ServiceProfile) -> Outcome:
    with requests_transport.open_session(profile) as session:
        return requests_transport.send(session, request, profile)


def send_with_aiohttp(request: HttpRequest, profile: ServiceProfile) -> Outcome:
    async def converse() -> Outcome:
        async with await aiohttp_transport.open_session(profile) as session:
            return await aiohttp_transport.send(session, request, proxy_for(request.url, profile))

    return asyncio.run(converse())


@pytest.fixture(params=[send_with_requests, send_with_aiohttp], ids=["requests", "aiohttp"])
def send(request: pytest.FixtureRequest) -> Any:
    return request.param


def profile(url: str, **fields: Any) -> ServiceProfile:
    return ServiceProfile(
        **{"base_url": url, "secret": "s", "connect_timeout": 5.0, "read_timeout": 5.0, **fields}
    )


def get(url: str) -> HttpRequest:
    return HttpRequest("GET", url, {"Authorization": "Bearer s"})


@pytest.fixture
def closed_port() -> int:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port: int = unused.getsockname()[1]
        return port


def test_a_reply_arrives_with_its_status_headers_and_body(send: Any, service: Any) -> None:
    service.will(service.reply(418, b"short and stout", X_Request_Id="r-1"))

    reply = send(HttpRequest("POST", f"{service.url}/tea", {"X-A": "b"}, b"{}"), profile(service.url))

    assert (reply.status, reply.body, reply.headers["x-request-id"]) == (418, b"short and stout", "r-1")
    [seen] = service.seen
    assert (seen.method, seen.path, seen.headers["x-a"], seen.body) == ("POST", "/tea", "b", b"{}")


def test_a_redirect_is_handed_over_and_not_followed(send: Any, service: Any) -> None:
    service.will(service.reply(302, b"", location="/elsewhere"))

    reply = send(get(f"{service.url}/here"), profile(service.url))

    assert reply.headers["location"] == "/elsewhere"
    assert [seen.path for seen in service.seen] == ["/here"]


@pytest.mark.parametrize("location", ["http://[::1", "http://a..b/", "//", "\xff"])
def test_a_redirect_to_nowhere_is_handed_over(send: Any, service: Any, location: str) -> None:
    service.will(service.reply(307, b"", location=location))

    assert send(get(service.url), profile(service.url)).status == 307


@pytest.mark.parametrize("status", [200, 302, 400])
def test_a_gzip_bomb_costs_no_more_memory_than_the_limit(
    send: Any, service: Any, gzip_bomb: bytes, status: int
) -> None:
    service.will(service.reply(status, gzip_bomb, Content_Encoding="gzip", Location="/elsewhere"))

    tracemalloc.start()
    try:
        send(get(service.url), profile(service.url, read_timeout=30.0))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert most < 72 * 1024 * 1024


@pytest.mark.parametrize(
    ("fault", "reason", "read_timeout"),
    [
        ("reset", "reset", 30.0),
        ("hang", "did not answer in time", 0.2),
        ("drip", "time|complete answer", 0.2),
        ("truncated", "broke off", 30.0),
    ],
)
def test_a_request_that_was_sent_may_have_been_seen(
    send: Any, service: Any, fault: str, reason: str, read_timeout: float
) -> None:
    service.will(fault)

    failure = send(
        get(service.url), profile(service.url, connect_timeout=read_timeout, read_timeout=read_timeout)
    )

    assert failure.kind == "no-reply"
    assert re.search(reason, failure.reason), failure.reason


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_what_may_change_something_is_sent_once(send: Any, service: Any, method: str) -> None:
    service.will("reset")

    failure = send(HttpRequest(method, service.url, {}, b"{}"), profile(service.url))

    assert failure.kind == "no-reply"
    assert "reset" in failure.reason or "Disconnected" in failure.reason
    assert len(service.seen) == 1


def test_the_time_for_an_answer_is_not_the_one_for_connecting(service: Any) -> None:
    service.will("hang")
    quick = profile(service.url, connect_timeout=30.0, read_timeout=0.1)

    with requests_transport.open_session(quick) as session:
        failure = requests_transport.send(session, get(service.url), quick, limit=2.0)

    host = service.url.removeprefix("http://")
    assert failure == TransportFailure("no-reply", f"{host} did not answer in time")


def test_a_refused_connection_was_not_seen(send: Any, closed_port: int) -> None:
    url = f"http://127.0.0.1:{closed_port}"

    failure = send(get(url), profile(url))

    assert failure == TransportFailure("not-sent", f"connection refused by 127.0.0.1:{closed_port}")


def test_an_unknown_host_was_not_seen(send: Any) -> None:
    failure = send(get("http://video.invalid/x"), profile("http://video.invalid", connect_timeout=5.0))

    assert failure == TransportFailure("not-sent", "the host name of video.invalid cannot be resolved")


def test_https_on_a_plain_port_was_not_seen(send: Any, service: Any) -> None:
    url = service.url.replace("http:", "https:")

    failure = send(get(url), profile(url))

    assert failure.kind == "not-sent"
    assert "does not speak TLS; its address may begin with http://" in failure.reason


def test_an_answer_larger_than_anything_sensible_is_refused(send: Any, service: Any) -> None:
    service.will(service.reply(200, b" " * (2 * 1024 * 1024 + 1)))

    failure = send(get(service.url), profile(service.url, read_timeout=30.0))

    assert failure == TransportFailure("too-large", "the answer is larger than 2 MiB", 200)


LARGER = 3 * 1024 * 1024


def test_a_success_may_be_as_large_as_its_request_allows(send: Any, service: Any) -> None:
    service.will(service.reply(200, b" " * LARGER))

    reply = send(replace(get(service.url), max_reply_bytes=LARGER), profile(service.url, read_timeout=30.0))

    assert len(reply.body) == LARGER


@pytest.mark.parametrize("status", [302, 404, 503])
def test_no_other_answer_may(send: Any, service: Any, status: int) -> None:
    service.will(service.reply(status, b" " * LARGER))

    failure = send(replace(get(service.url), max_reply_bytes=LARGER), profile(service.url, read_timeout=30.0))

    assert failure == TransportFailure("too-large", "the answer is larger than 2 MiB", status)


def test_the_limit_counts_what_is_unpacked(send: Any, service: Any) -> None:
    packed = gzip.compress(b" " * (LARGER + 1))
    service.will(service.reply(200, packed, Content_Encoding="gzip"))

    failure = send(replace(get(service.url), max_reply_bytes=LARGER), profile(service.url, read_timeout=30.0))

    assert failure == TransportFailure("too-large", "the answer is larger than 3 MiB", 200)


def test_a_password_in_netrc_does_not_replace_the_token(
    send: Any, service: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password else\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    service.will("completed")

    send(get(service.url), profile(service.url))

    assert [seen.headers["authorization"] for seen in service.seen] == ["Bearer s"]


def test_a_proxy_of_the_environment_is_used(send: Any, service: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", service.url)
    service.will("completed")

    reply = send(get("http://video.example.com/x"), profile("http://video.example.com"))

    assert reply.status == 200
    assert [seen.path for seen in service.seen] == ["http://video.example.com/x"]


def test_a_host_that_no_proxy_names_is_asked_directly(
    send: Any, service: Any, closed_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{closed_port}")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    service.will("completed")

    assert send(get(service.url), profile(service.url)).status == 200


def test_the_connections_proxy_wins_over_the_environments(
    send: Any, service: Any, closed_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{closed_port}")
    service.will("completed")

    reply = send(
        get("http://video.example.com/x"), profile("http://video.example.com", proxies={"http": service.url})
    )

    assert reply.status == 200


def test_the_environments_proxies_do_not_count_beside_the_connections(
    send: Any, service: Any, closed_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{closed_port}")
    service.will("completed")

    reply = send(get(service.url), profile(service.url, proxies={"https": f"http://127.0.0.1:{closed_port}"}))

    assert reply.status == 200


def test_a_proxy_that_cannot_be_reached_is_named_without_its_password(send: Any, closed_port: int) -> None:
    proxies = {"http": f"http://me:hidden@127.0.0.1:{closed_port}"}

    failure = send(get("http://video.example.com/x"), profile("http://video.example.com", proxies=proxies))

    assert failure.kind == "not-sent"
    assert "hidden" not in failure.reason


def test_a_ca_file_that_is_not_there_is_named(send: Any, service: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"'/no/such/ca\.pem' cannot be used \(No such file"):
        send(get(service.url), profile(service.url, verify="/no/such/ca.pem"))


def test_a_ca_file_without_a_certificate_is_named(send: Any, service: Any, tmp_path: Path) -> None:
    empty = tmp_path / "ca.pem"
    empty.write_text("no certificate here\n")

    with pytest.raises(ConfigurationError, match=r"ca\.pem' cannot be used"):
        send(get(service.url), profile(service.url, verify=str(empty)))


@pytest.fixture
def tls_service(certificate: Path, service: Any) -> Iterator[Any]:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    running = type(service)(context)
    running.will("completed")
    yield running
    running.stop()


def test_an_unknown_certificate_is_refused_before_anything_is_sent(send: Any, tls_service: Any) -> None:
    failure = send(get(tls_service.url), profile(tls_service.url))

    assert failure.kind == "not-sent"
    assert "self-signed certificate; a CA file can be set as extra verify" in failure.reason
    assert not tls_service.seen


def test_the_connections_ca_file_wins_over_the_environments(
    send: Any, tls_service: Any, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", certifi.where())

    assert send(get(tls_service.url), profile(tls_service.url, verify=str(certificate))).status == 200


def test_the_environments_ca_file_is_used(
    send: Any, tls_service: Any, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))

    assert send(get(tls_service.url), profile(tls_service.url)).status == 200


@pytest.mark.filterwarnings("ignore:Unverified HTTPS request")
def test_verification_that_is_off_stays_off(
    send: Any, tls_service: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", certifi.where())

    assert send(get(tls_service.url), profile(tls_service.url, verify=False)).status == 200


@pytest.mark.parametrize(
    "failure", [KeyboardInterrupt, SystemExit, MemoryError, TypeError, AttributeError, RecursionError]
)
def test_what_is_no_trouble_of_the_network_is_not_taken_for_it(
    service: Any, failure: type[BaseException]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise failure

    with requests_transport.open_session(profile(service.url)) as session:
        session.hooks["response"].append(fail)
        with pytest.raises(failure):
            requests_transport.send(session, get(service.url), profile(service.url))


@pytest.mark.parametrize("failure", [OSError, TimeoutError, ValueError, http.client.BadStatusLine])
def test_trouble_of_the_network_is_an_answer_that_did_not_come(
    service: Any, failure: type[Exception]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise failure("broken")

    with requests_transport.open_session(profile(service.url)) as session:
        session.hooks["response"].append(fail)
        outcome = requests_transport.send(session, get(service.url), profile(service.url))

    assert isinstance(outcome, TransportFailure)
    assert outcome.kind == "no-reply"


def test_the_aiohttp_transport_gives_a_connection_its_own_time_and_the_answer_the_rest() -> None:
    patient = profile("http://video.example.com", connect_timeout=3.0, read_timeout=40.0)

    async def limits() -> tuple[float | None, float | None]:
        async with await aiohttp_transport.open_session(patient) as session:
            return session.timeout.sock_connect, session.timeout.total

    assert asyncio.run(limits()) == (3, 43)


def test_the_requests_transport_ends_at_the_callers_limit(service: Any) -> None:
    service.will("hang")
    patient = profile(service.url, read_timeout=60.0)

    with requests_transport.open_session(patient) as session:
        failure = requests_transport.send(session, get(service.url), patient, limit=0.1)

    assert failure == TransportFailure("no-reply", "no complete answer within 0.1 s")
