"""The service profile: what a connection says about the service, checked and with defaults."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal
from urllib.parse import urlsplit

from .errors import ConfigurationError

DEFAULT_PATHS: Mapping[str, str] = MappingProxyType(
    {
        "storyboard": "/api/v1/video/storyboard",
        "job": "/api/v1/job/{job_id}",
        "render": "/api/v1/video/render",
        "aws_connections": "/serviceapis/v1/awsconnections",
        "voiceover_tracks": "/serviceapis/v1/voiceovers/tracks",
    }
)
OPTIONAL_PATHS = frozenset({"cancel"})
STATES = ("in-progress", "completed", "failed", "cleaned")
LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True)
class ServiceProfile:
    """Everything that a connection tells about the service and how to talk to it.

    Source: DESIGN.md, "The connection" (ours; the interface leaves these open).

    :param base_url: scheme, host and path prefix, without a slash at the end.
    :param secret: the access token, or the client secret when ``auth_url`` is set.
    :param client_id: the client id for ``auth_url``.
    :param user_id: fills the user-id header; empty when only tasks name one.
    :param auth_url: where tokens are fetched; None when ``secret`` is the token.
    :param token_request: ``json`` or ``form`` (OAuth2 client credentials).
    :param token_prefix: a word before the token, such as ``Bearer``.
    :param user_id_header: the name of the user-id header.
    :param paths: the path of each operation; ``cancel`` only where the service has one.
    :param state_words: the service's own state words -> one of our four states.
    :param requests_per_minute: for polls and token requests of one process.
    :param connect_timeout: seconds for making a connection.
    :param read_timeout: seconds between two reads; a whole answer may take twice as long.
    :param verify: True, False, or the path of a CA file.
    :param proxies: scheme -> proxy URL.
    :param idempotency_header: the header for a submission's identity, where a service takes one.
    :param aws_connection_id: the default for storyboards with private media.
    :param callback_base_url: Airflow's public address, for webhooks.
    :param webhook_secret: the secret that signs webhook URLs.
    :param warnings: what looks like a mistake in the connection but stops nothing.
    """

    base_url: str
    secret: str = field(repr=False)
    client_id: str | None = None
    user_id: str | None = None
    auth_url: str | None = None
    token_request: Literal["json", "form"] = "json"  # noqa: S105 - the form of a request, no secret
    token_prefix: str = ""
    user_id_header: str = "X-Service-User-Id"
    paths: Mapping[str, str] = field(default_factory=lambda: DEFAULT_PATHS)
    state_words: Mapping[str, str] = field(default_factory=dict)
    requests_per_minute: int = 600
    connect_timeout: float = 10.0
    read_timeout: float = 30.0
    verify: bool | str = True
    proxies: Mapping[str, str] | None = field(default=None, repr=False)
    idempotency_header: str | None = None
    aws_connection_id: str | None = None
    callback_base_url: str | None = None
    webhook_secret: str | None = field(default=None, repr=False)
    warnings: tuple[str, ...] = ()

    @property
    def total_timeout(self) -> float:
        """Seconds that one request may take in all, however slowly its answer drips in."""
        return self.connect_timeout + 2 * self.read_timeout

    @property
    def origin(self) -> tuple[str, str]:
        """Scheme and host with port: where the service's token may go."""
        parts = urlsplit(self.base_url)
        return parts.scheme, parts.netloc

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
        :param schema: ``http`` or ``https``, used when ``host`` has no scheme.
        :param port: used when ``host`` names none.
        :param login: the client id, with extra ``auth_url``.
        :param password: the access token, or the client secret with extra ``auth_url``.
        :param extra: the keys of DESIGN.md's table; empty strings count as absent.
        :raises ConfigurationError: names every field that must be changed.
        """
        reader = _ExtraReader(extra or {})
        auth_url = reader.text("auth_url")
        base_url = _base_url(reader, host, schema, port)
        profile = cls(
            base_url=base_url,
            secret=(password or "").strip(),
            client_id=login or None,
            user_id=reader.text("user_id"),
            auth_url=auth_url,
            token_request=reader.choice("token_request", ("json", "form"), "json"),  # type: ignore[arg-type]
            token_prefix=reader.text("token_prefix") or "",
            user_id_header=reader.text("user_id_header") or cls.user_id_header,
            paths=MappingProxyType({**DEFAULT_PATHS, **reader.paths()}),
            state_words=MappingProxyType(reader.state_words()),
            requests_per_minute=int(reader.number("requests_per_minute", 600, least=1)),
            connect_timeout=reader.number("connect_timeout", 10.0, least=0.1),
            read_timeout=reader.number("read_timeout", 30.0, least=0.1),
            verify=reader.verify(),
            proxies=reader.mapping("proxies") or None,
            idempotency_header=reader.text("idempotency_header"),
            aws_connection_id=reader.text("aws_connection_id"),
            callback_base_url=reader.text("callback_base_url"),
            webhook_secret=reader.text("webhook_secret"),
            warnings=tuple(f"Connection {conn_id!r}: {warning}" for warning in reader.unknown_keys()),
        )
        allow_http = reader.flag("allow_http", default=False)
        _check_url(reader, "host", base_url, allow_http=allow_http)
        if auth_url:
            _check_url(reader, "extra auth_url", auth_url, allow_http=allow_http)
            if not profile.client_id:
                reader.problems.append("login is empty: with extra auth_url it must hold the client id")
        if not profile.secret:
            what = "the client secret" if auth_url else "the access token"
            reader.problems.append(f"password is empty: it must hold {what}")
        elif not profile.secret.isprintable() or not profile.secret.isascii():
            reader.problems.append("password holds characters that cannot stand in a header")
        if reader.problems:
            raise ConfigurationError(
                f"Connection {conn_id!r} cannot be used: {'; '.join(reader.problems)}. "
                f"Change it in Airflow under Admin > Connections, or where your deployment defines it."
            )
        return profile


def _base_url(reader: _ExtraReader, host: str | None, schema: str | None, port: int | None) -> str:
    host = (host or "").strip().rstrip("/")
    if not host:
        reader.problems.append("host is empty: it must hold the service's base URL (https://...)")
        return ""
    if "://" not in host:
        host = f"{schema if schema in ('http', 'https') else 'https'}://{host}"
    parts = urlsplit(host)
    if port and parts.netloc and not parts.netloc.rsplit("]", 1)[-1].partition(":")[2]:
        host = parts._replace(netloc=f"{parts.netloc}:{port}").geturl()
    return host


def _check_url(reader: _ExtraReader, name: str, url: str, *, allow_http: bool) -> None:
    if not url:
        return
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        reader.problems.append(f"{name} is no URL ({error})")
        return
    if parts.scheme not in ("http", "https") or not parts.hostname or any(c.isspace() for c in url):
        reader.problems.append(f"{name} must be an http(s) URL with a host name, not {url.split('@')[-1]!r}")
    elif parts.username or parts.password:
        reader.problems.append(
            f"{name} must not hold credentials: login and password have fields of their own"
        )
    elif parts.query or parts.fragment:
        reader.problems.append(f"{name} must end before any ? or #")
    elif parts.scheme == "http" and parts.hostname not in LOOPBACK_HOSTS and not allow_http:
        reader.problems.append(
            f"{name} is not https, so the token would travel in clear text: use https, "
            'or set extra {"allow_http": true} where the network is yours'
        )


class _ExtraReader:
    """Reads the extra's values, which forms and URIs deliver as strings, and collects what is wrong."""

    def __init__(self, extra: Mapping[str, Any]) -> None:
        self.extra = {key: value for key, value in extra.items() if value not in (None, "")}
        self.seen: set[str] = set()
        self.problems: list[str] = []

    def _take(self, key: str) -> Any:
        self.seen.add(key)
        return self.extra.get(key)

    def text(self, key: str) -> str | None:
        value = self._take(key)
        if isinstance(value, dict | list):
            self.problems.append(f"extra {key} must be a text")
            return None
        return None if value is None else str(value).strip() or None

    def choice(self, key: str, allowed: tuple[str, ...], default: str) -> str:
        value = self.text(key) or default
        if value not in allowed:
            self.problems.append(f"extra {key} must be one of {', '.join(allowed)}, not {value!r}")
            return default
        return value

    def number(self, key: str, default: float, *, least: float) -> float:
        value = self._take(key)
        if value is None:
            return default
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = float("nan")
        if isinstance(value, bool) or not least <= number < float("inf"):
            self.problems.append(f"extra {key} must be a number of at least {least:g}, not {value!r}")
            return default
        return number

    def flag(self, key: str, *, default: bool) -> bool:
        value = self._take(key)
        if value is None:
            return default
        word = str(value).strip().lower()
        if word not in ("true", "false", "1", "0", "yes", "no"):
            self.problems.append(f"extra {key} must be true or false, not {value!r}")
        return word in ("true", "1", "yes")

    def verify(self) -> bool | str:
        value = self.text("verify")
        if value is None or value.lower() in ("true", "1", "yes"):
            return True
        return False if value.lower() in ("false", "0", "no") else value

    def mapping(self, key: str) -> dict[str, str]:
        value = self._take(key)
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except ValueError:
                value = value if value.strip() else None
        if value is None:
            return {}
        if not isinstance(value, Mapping) or not all(isinstance(v, str) for v in value.values()):
            self.problems.append(f"extra {key} must be a JSON object whose values are texts")
            return {}
        return {str(name): str(text) for name, text in value.items()}

    def paths(self) -> dict[str, str]:
        paths = self.mapping("paths")
        for name, path in paths.items():
            if name not in DEFAULT_PATHS and name not in OPTIONAL_PATHS:
                known = ", ".join([*DEFAULT_PATHS, *OPTIONAL_PATHS])
                self.problems.append(f"extra paths has the unknown key {name!r}; known are {known}")
            elif not path.startswith("/"):
                self.problems.append(f"extra paths.{name} must begin with a slash, not {path!r}")
            elif name in ("job", "cancel") and "{job_id}" not in path:
                self.problems.append(f"extra paths.{name} must contain {{job_id}}")
        return paths

    def state_words(self) -> dict[str, str]:
        words = self.mapping("state_words")
        for word, state in words.items():
            if state not in STATES:
                self.problems.append(
                    f"extra state_words.{word} must be one of {', '.join(STATES)}, not {state!r}"
                )
        return {word.strip().lower(): state for word, state in words.items()}

    def unknown_keys(self) -> list[str]:
        known = self.seen | {"allow_http"}
        warnings = []
        for key in sorted(self.extra.keys() - known):
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            warnings.append(f"extra has the unknown key {key!r}, which is ignored{hint}")
        return warnings
