"""The service profile: what a connection says about the service, checked and with defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from ..errors import ConfigurationError
from ..job_states import JOB_STATES
from .defaults import (
    AIRFLOW_API_CONN_ID,
    CONNECT_TIMEOUT,
    IDEMPOTENCY_HOURS,
    MAX_REPLY_MIB,
    MIN_WEBHOOK_SECRET,
    READ_TIMEOUT,
    REQUESTS_PER_MINUTE,
    TOKEN_REQUESTS,
    UPDATE_METHODS,
    USER_ID_HEADER,
    WEBHOOK_MAX_LENGTH,
)
from .extra import ConnectionExtra, quoted, url_problem
from .marker_field import marker_field
from .paths import DEFAULT_PATHS, paths_of

DEFAULT_PORTS = {"http": 80, "https": 443}
MAX_REQUESTS_PER_MINUTE = 1_000_000.0
"""The largest budget of requests a minute that a connection may set (ours)."""
MAX_TIMEOUT = 3600.0
"""The longest time-out that a connection may set (ours)."""
MAX_WEBHOOK_LENGTH = 100_000
"""Characters of the longest callback URL that a connection may allow (ours)."""
LARGEST_REPLY_MIB = 1024.0
"""The largest reply that a connection may allow (ours)."""
REPLY_FIELDS = ("quota_minutes", "voice", "job_name", "job_submitted_at", "job_marker")
"""The fields of the service's lists that a connection may name (ours)."""


@dataclass(frozen=True)
class ServiceProfile:
    """Everything that a connection tells about the service and how to talk to it.

    Source: ours; the interface leaves these open.

    :param base_url: scheme, host and path prefix, without a slash at the end.
    :param secret: the access token, or the client secret when ``auth_url`` is set.
    :param client_id: the client id for ``auth_url``.
    :param user_id: fills the user-id header; empty when only tasks name one.
    :param auth_url: where tokens are fetched; None when ``secret`` is the token.
    :param token_request: ``json`` or ``form`` (OAuth2 client credentials).
    :param token_prefix: a word before the token, such as ``Bearer``.
    :param user_id_header: the name of the user-id header; None where the service takes none.
    :param paths: the path of each operation; those without a default only where the connection names them.
    :param reply_fields: where the service's lists hold what is looked for there: one of ``REPLY_FIELDS`` -> the path
        of a field, with dots between its names.
    :param idempotency_header: the header in which the service takes the identity of a submission; None for none.
    :param idempotency_hours: for how long the service remembers such an identity.
    :param marker_field: the field of a request that the service repeats in its list of jobs, in which a submission's
        mark is sent; None for none.
    :param render_by_id: whether a video is rendered by its storyboard's job id instead of the render settings.
    :param escape_text: whether the text of a scene without SSML is escaped.
    :param override_known_fields: whether ``extra_fields`` may carry a field that the interface knows.
    :param update_method: how a registered connection is changed: ``PATCH`` or ``PUT``.
    :param webhook_max_length: characters of the longest callback URL that the service takes.
    :param max_reply_mib: MiB of the largest reply of a finished job.
    :param share_tokens: whether fetched tokens are shared by the processes of one user on one machine.
    :param state_words: the service's own state words, in lower case -> one of our four states.
    :param requests_per_minute: how many polls and token requests one triggerer process may send; a worker that
        makes many videos may poll as often, and submit as often.
    :param connect_timeout: seconds for making a connection.
    :param read_timeout: seconds between two reads on a worker, where a whole answer may take twice as long; in the
        triggerer for the whole answer.
    :param verify: True, False, or the path of a CA file.
    :param proxies: scheme -> proxy URL.
    :param aws_connection_id: the default for storyboards with private media.
    :param callback_base_url: Airflow's public address, without a slash at the end, for webhooks; None for none.
    :param webhook_secret: signs the webhooks' URLs.
    :param airflow_api_conn_id: the Airflow connection whose login and password are the identity of the webhooks'
        receiver, and whose host is the address at which the triggerer reaches Airflow's API.
    :param warnings: what looks like a mistake in the connection but stops nothing.
    """

    base_url: str
    secret: str = field(repr=False)
    client_id: str | None = None
    user_id: str | None = None
    auth_url: str | None = field(default=None, repr=False)
    token_request: str = TOKEN_REQUESTS[0]
    token_prefix: str = ""
    user_id_header: str | None = USER_ID_HEADER
    paths: Mapping[str, str] = field(default_factory=lambda: DEFAULT_PATHS, repr=False)
    reply_fields: Mapping[str, str] = field(default_factory=dict)
    idempotency_header: str | None = None
    idempotency_hours: float = IDEMPOTENCY_HOURS
    marker_field: str | None = None
    render_by_id: bool = False
    escape_text: bool = True
    override_known_fields: bool = False
    update_method: str = UPDATE_METHODS[0]
    webhook_max_length: int = WEBHOOK_MAX_LENGTH
    max_reply_mib: float = MAX_REPLY_MIB
    share_tokens: bool = True
    state_words: Mapping[str, str] = field(default_factory=dict)
    requests_per_minute: float = REQUESTS_PER_MINUTE
    connect_timeout: float = CONNECT_TIMEOUT
    read_timeout: float = READ_TIMEOUT
    verify: bool | str = True
    proxies: Mapping[str, str] | None = field(default=None, repr=False)
    aws_connection_id: str | None = None
    callback_base_url: str | None = None
    webhook_secret: str | None = field(default=None, repr=False)
    airflow_api_conn_id: str = AIRFLOW_API_CONN_ID
    conn_id: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def takes_webhooks(self) -> bool:
        """Whether the service can be asked to tell Airflow when a job has ended."""
        return bool(self.callback_base_url and self.webhook_secret)

    @property
    def total_timeout(self) -> float:
        """Seconds that one request may take in all, however slowly its answer arrives."""
        return self.connect_timeout + 2 * self.read_timeout

    def is_own(self, url: str) -> bool:
        """Whether a URL lies on the service's own scheme, host and port, so that the token may go there.

        :param url: any text.
        """
        return _origin(url) is not None and _origin(url) == _origin(self.base_url)

    @classmethod
    def from_connection(
        cls,
        conn_id: str,
        *,
        host: str | None,
        schema: str | None = None,
        port: int | None = None,
        login: str | None = None,
        password: str | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> ServiceProfile:
        """Read a profile from the fields of an Airflow connection.

        :param conn_id: names the connection in messages.
        :param host: the base URL; without a scheme, ``schema`` or https is taken.
        :param schema: ``http`` or ``https``; anything else is a path prefix, which Airflow puts here when
            the connection is given as a URI.
        :param port: used when ``host`` names none; 0 is what forms send for none.
        :param login: the client id, with extra ``auth_url``.
        :param password: the access token, or the client secret with extra ``auth_url``.
        :param extra: the optional fields of this class, and ``allow_http``; empty texts count as absent.
        :raises ConfigurationError: names every field that must be changed.
        """
        values = ConnectionExtra(extra or {})
        allow_http = values.flag("allow_http")
        base_url = _base_url(host, schema, port)
        base_url_problem = (
            url_problem(base_url, allow_http=allow_http)
            if base_url
            else "is empty: it must hold the service's base URL (https://...)"
        )
        profile = cls(
            base_url=base_url,
            secret=(password or "").strip(),
            client_id=(login or "").strip() or None,
            user_id=values.header_text("user_id"),
            auth_url=values.url("auth_url", allow_http=allow_http, query=True),
            token_request=values.choice("token_request", TOKEN_REQUESTS),
            token_prefix=values.header_text("token_prefix") or "",
            user_id_header=(
                None
                if values.is_turned_off("user_id_header")
                else values.header_name("user_id_header") or USER_ID_HEADER
            ),
            paths=MappingProxyType({**DEFAULT_PATHS, **paths_of(values)}),
            reply_fields=MappingProxyType(_reply_fields(values)),
            idempotency_header=values.header_name("idempotency_header"),
            idempotency_hours=values.number("idempotency_hours", IDEMPOTENCY_HOURS, least=0.01, most=8760),
            marker_field=marker_field(values),
            render_by_id=values.flag("render_by_id"),
            escape_text=values.flag("escape_text", default=True),
            override_known_fields=values.flag("override_known_fields"),
            update_method=values.choice("update_method", UPDATE_METHODS),
            webhook_max_length=int(
                values.number("webhook_max_length", WEBHOOK_MAX_LENGTH, least=0, most=MAX_WEBHOOK_LENGTH)
            ),
            max_reply_mib=values.number("max_reply_mib", MAX_REPLY_MIB, least=1, most=LARGEST_REPLY_MIB),
            share_tokens=values.flag("share_tokens", default=True),
            state_words=MappingProxyType(_state_words(values)),
            requests_per_minute=values.number(
                "requests_per_minute", REQUESTS_PER_MINUTE, least=1, most=MAX_REQUESTS_PER_MINUTE
            ),
            connect_timeout=values.number("connect_timeout", CONNECT_TIMEOUT, least=0.1, most=MAX_TIMEOUT),
            read_timeout=values.number("read_timeout", READ_TIMEOUT, least=0.1, most=MAX_TIMEOUT),
            verify=values.flag_or_path("verify"),
            proxies=values.texts("proxies") or None,
            aws_connection_id=values.text("aws_connection_id"),
            callback_base_url=(values.url("callback_base_url", allow_http=allow_http) or "").rstrip("/")
            or None,
            webhook_secret=values.secret("webhook_secret", least=MIN_WEBHOOK_SECRET),
            airflow_api_conn_id=values.text("airflow_api_conn_id") or AIRFLOW_API_CONN_ID,
            conn_id=conn_id,
            warnings=tuple(
                f"Connection {conn_id!r}: {warning}"
                for warning in [*_port_warnings(base_url, port), *values.unknown_keys()]
            ),
        )
        problems = [f"host {base_url_problem}"] if base_url_problem else []
        problems += _credential_problems(profile) + values.problems + _webhook_problems(values)
        if problems:
            # What is missing may be there under a mistyped name.
            problems += values.unknown_keys()
            raise ConfigurationError(
                f"Connection {conn_id!r} cannot be used: {'; '.join(problems)}. "
                "Change the connection in Airflow under Admin > Connections, or where your deployment defines it. "
                "Nothing was sent."
            )
        return profile


def _base_url(host: str | None, schema: str | None, port: int | None) -> str:
    """The base URL in the fields of a connection; empty, or no URL at all, when they hold none."""
    url = (host or "").strip()
    prefix = (schema or "").strip().strip("/")
    if not url:
        return ""
    if "://" not in url:
        url = f"{prefix if prefix in DEFAULT_PORTS else 'https'}://{url}"
    url = url.rstrip("/")
    try:
        parts = urlsplit(url)
        # An https URL without its 443 reads better in messages, and is the same address.
        if port and parts.hostname and parts.port is None and port != DEFAULT_PORTS.get(parts.scheme):
            url = parts._replace(netloc=f"{parts.netloc}:{port}").geturl()
    except ValueError:
        return url
    return url if not prefix or prefix in DEFAULT_PORTS else f"{url}/{prefix}"


def _port_warnings(base_url: str, port: int | None) -> list[str]:
    origin = _origin(base_url)
    if not port or origin is None or origin[2] == port:
        return []
    return [f"host asks for port {origin[2]}, so port {port} is not used: give the same port in both"]


def _origin(url: str) -> tuple[str, str, int] | None:
    try:
        parts = urlsplit(url)
        port = parts.port or DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    if not port or not parts.hostname or "@" in parts.netloc:
        return None
    return parts.scheme, parts.hostname, port


def _credential_problems(profile: ServiceProfile) -> list[str]:
    problems = []
    if profile.auth_url and not profile.client_id:
        problems.append("login is empty: with extra auth_url it must hold the client id")
    if not profile.secret:
        problems.append(
            f"password is empty: it must hold the {'client secret' if profile.auth_url else 'access token'}"
        )
    elif not profile.auth_url and not (profile.secret.isascii() and profile.secret.isprintable()):
        problems.append(
            "password contains characters that a header cannot carry, so it is not an access token"
        )
    return problems


def _webhook_problems(values: ConnectionExtra) -> list[str]:
    keys = ("callback_base_url", "webhook_secret")
    given = [key for key in keys if values.has(key)]
    if len(given) != 1:
        return []
    missing = next(key for key in keys if key not in given)
    return [
        f"extra {missing} is missing: webhooks need it beside {given[0]}, while polling alone needs neither"
    ]


def _reply_fields(values: ConnectionExtra) -> dict[str, str]:
    fields = values.texts("reply_fields")
    for name, path in fields.items():
        if name not in REPLY_FIELDS:
            values.problems.append(
                f"extra reply_fields has the unknown key {quoted(name)}; the known keys are {', '.join(REPLY_FIELDS)}"
            )
        elif not all(part.strip() for part in path.split(".")):
            values.problems.append(
                f"extra reply_fields.{name} must be the name of a field, with dots between the names of nested ones, "
                f"such as data.name, not {quoted(path)}"
            )
    return fields


def _state_words(values: ConnectionExtra) -> dict[str, str]:
    words = values.texts("state_words")
    for word, state in words.items():
        if state not in JOB_STATES:
            values.problems.append(
                f"extra state_words has {quoted(state)} for {quoted(word)}; it must be one of {', '.join(JOB_STATES)}"
            )
    return {word.strip().lower(): state for word, state in words.items()}
