"""Reads the extra of an Airflow connection, whose values forms and URIs deliver as texts."""

from __future__ import annotations

import contextlib
import difflib
import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from ..quoting import quotable, shortened

LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
YES, NO = ("true", "1", "yes", "on"), ("false", "0", "no", "off")
EXAMPLES = {
    "user_id": "me@example.com",
    "token_prefix": "Bearer",
    "user_id_header": "X-User-Id, or null for none",
    "idempotency_header": "Idempotency-Key",
    "idempotency_hours": "24",
    "paths": '{"job": "/v2/jobs/{job_id}"}',
    "state_words": '{"DONE": "completed"}',
    "reply_fields": '{"job_name": "videoName"}',
    "proxies": '{"https": "http://proxy.example.com:3128"}',
    "marker_field": "videoDescription",
    "aws_connection_id": "c-1234",
    "airflow_api_conn_id": "video_creation_airflow_api",
    "requests_per_minute": "600",
    "connect_timeout": "10",
    "read_timeout": "30",
    "webhook_max_length": "500",
    "max_reply_mib": "32",
}
"""What a key can hold, for messages (ours)."""
MAX_SHOWN = 80
"""How many characters of a wrong value a message shows (ours)."""


class ConnectionExtra:
    """The extra's values, checked one by one; what is wrong is collected in ``problems``.

    Empty texts count as absent, since forms send them for what was not filled in.

    :param extra: the connection's extra.
    """

    def __init__(self, extra: Mapping[str, Any]) -> None:
        self.problems: list[str] = []
        self._nulls = {str(key) for key, value in extra.items() if value is None}
        self._extra = {
            str(key): value
            for key, value in extra.items()
            if value is not None and not (isinstance(value, str) and not value.strip())
        }
        self._known: set[str] = set()

    def text(self, key: str) -> str | None:
        """A text; numbers are taken as they would be written."""
        value = self._take(key)
        if isinstance(value, Mapping | list):
            self._wrong(key, "text", value)
            return None
        return None if value is None else str(value).strip()

    def secret(self, key: str, *, least: int) -> str | None:
        """A text that is never shown, of at least that many printable characters."""
        value = self._take(key)
        text = "" if isinstance(value, Mapping | list) else str(value).strip()
        if value is not None and (len(text) < least or not text.isprintable()):
            self.problems.append(f"extra {key} must be at least {least} printable characters on one line")
        return None if value is None else text

    def has(self, key: str) -> bool:
        """Whether there is a value, right or wrong."""
        return key in self._extra

    def is_turned_off(self, key: str) -> bool:
        """Whether the key says null, or the word for it.

        A form sends null for every field that was left empty, so null counts only if no other key is there.
        """
        if self._nulls == {key}:
            self._known.add(key)
            return True
        value = self._take(key)
        return value is False or (isinstance(value, str) and value.strip().lower() in ("null", "none"))

    def header_text(self, key: str) -> str | None:
        """A text that can be sent in a header, such as a user id."""
        value = self.text(key)
        if value is not None and not (value.isascii() and value.isprintable()):
            self._wrong(key, "plain printable text, since it is sent in a header", value)
        return value

    def header_name(self, key: str) -> str | None:
        """The name of a header."""
        value = self.text(key)
        if value is not None and not re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", value):
            self._wrong(key, "the name of a header", value)
        return value

    def choice(self, key: str, allowed: tuple[str, ...]) -> str:
        """One of some words; the first when absent."""
        value = self.text(key)
        if value is not None and value not in allowed:
            self._wrong(key, f"one of {', '.join(allowed)}", value)
        return value if value in allowed else allowed[0]

    def number(self, key: str, default: float, *, least: float, most: float) -> float:
        """A number within limits."""
        value = self._take(key)
        if value is None:
            return default
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = float("nan")
        if isinstance(value, bool) or not least <= number <= most:
            self._wrong(key, f"a number from {least:g} to {most:g}", value)
            return default
        return number

    def flag(self, key: str, *, default: bool = False) -> bool:
        """True or false."""
        word = (self.text(key) or str(default)).lower()
        if word not in YES + NO:
            self._wrong(key, "true or false", word)
        return word in YES

    def flag_or_path(self, key: str) -> bool | str:
        """True, false or the path of a file; true when absent."""
        value = self.text(key)
        if value is None or value.lower() in YES:
            return True
        return False if value.lower() in NO else value

    def texts(self, key: str) -> dict[str, str]:
        """An object whose values are texts, as such or as JSON; empty when absent."""
        value = self._take(key)
        if isinstance(value, str):
            with contextlib.suppress(ValueError, RecursionError):
                value = json.loads(value)
        if value is None:
            return {}
        if not isinstance(value, Mapping) or not all(isinstance(text, str) for text in value.values()):
            # It may hold a proxy's password, so the message names only its kind.
            wrong = kind_of(value) if not isinstance(value, Mapping) else "one with other values"
            self.problems.append(
                f"extra {key} must be a JSON object whose values are text{_such_as(key)}, not {wrong}"
            )
            return {}
        return {str(name): text for name, text in value.items()}

    def url(self, key: str, *, allow_http: bool, query: bool = False) -> str | None:
        """An http(s) URL without credentials."""
        value = self.text(key)
        if value is not None and (problem := url_problem(value, allow_http=allow_http, query=query)):
            self.problems.append(f"extra {key} {problem}")
        return value

    def unknown_keys(self) -> list[str]:
        """Warnings about keys that nobody has read."""
        warnings = []
        for key in sorted(self._extra.keys() - self._known):
            near = difflib.get_close_matches(key[:MAX_SHOWN], self._known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            name = shortened(repr(key), MAX_SHOWN)
            warnings.append(f"extra has the unknown key {name}, which is ignored{hint}")
        return warnings

    def _take(self, key: str) -> Any:
        self._known.add(key)
        return self._extra.get(key)

    def _wrong(self, key: str, needed: str, value: Any) -> None:
        self.problems.append(f"extra {key} must be {needed}{_such_as(key)}, not {quoted(value)}")


def kind_of(value: Any) -> str:
    """What a JSON value is, in words.

    :param value: any JSON value.
    """
    if isinstance(value, bool):
        return "true or false"
    kinds: dict[type, str] = {
        str: "text",
        int: "a number",
        float: "a number",
        list: "a list",
        dict: "an object",
    }
    return kinds.get(type(value), "nothing")


def _such_as(key: str) -> str:
    return f", such as {EXAMPLES[key]}" if key in EXAMPLES else ""


def url_problem(url: str, *, allow_http: bool, query: bool = False) -> str | None:
    """What is wrong with a URL of the service, in words that hold no credentials; None when it is fine.

    :param url: the URL.
    :param allow_http: whether http is fine for other hosts than this machine.
    :param query: whether the URL may have a query.
    """
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:  # its words repeat what is written as the port, perhaps a password
        return "is not a URL with a valid host and port"
    if parts.scheme not in ("http", "https") or not parts.hostname or not url.isprintable() or " " in url:
        return f"must be an http(s) URL with a host name, not {quoted(url)}"
    if "@" in parts.netloc:
        return "must not hold credentials: login and password have their own fields"
    if parts.fragment or (parts.query and not query):
        return "must not contain #" if query else "must not contain ? or #"
    if parts.scheme == "http" and parts.hostname not in LOOPBACK_HOSTS and not allow_http:
        return (
            "is not https, so the token would travel in clear text: use https, "
            'or set extra {"allow_http": true} if the network is your own'
        )
    return None


def quoted(value: Any) -> str:
    """A wrong value as a message shows it: short, and without credentials.

    :param value: any JSON value.
    """
    return shortened(repr(quotable(str(value)) or ""), MAX_SHOWN)
