"""The address at which the service tells Airflow that a job has ended: signed, dated, and naming the task that waits.

Whoever has the URL can say that a job of this one submission has ended, and nothing else: it holds no secret, opens
nothing else, and what is said there is read again at the service. It is a capability all the same: never logged.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import zlib
from dataclasses import dataclass
from typing import Any, Literal, get_args

from itsdangerous import (
    BadData,
    BadPayload,
    BadSignature,
    Serializer,
    TimestampSigner,
    URLSafeTimedSerializer,
)
from itsdangerous.encoding import base64_decode, want_bytes

from ..plugin_paths import WEBHOOK_PATH

MAX_AGE = 7 * 24 * 3600.0
"""Seconds for which a URL is taken (ours)."""
MAX_AHEAD = 300.0
"""Seconds that the date of a URL may lie in the future, since clocks differ (ours)."""
MAX_TOKEN = 6000
"""Characters of the longest token that is read: the longest names that Airflow's database takes fit in (ours)."""
MAX_ID = 250
"""Characters of the longest id that Airflow's database takes (source: Airflow)."""
MAX_PAYLOAD = 16_384
"""Bytes of the longest payload that is unpacked (ours)."""
VERSION = "1"
"""The first character of a token. It also keeps the dot of a packed payload from the beginning of a path segment,
where proxies take it for a hidden file (ours)."""

Kind = Literal["storyboard", "render"]
Reason = Literal["malformed", "signature", "expired", "task", "job"]


class WebhookRefusedError(Exception):
    """A call of a webhook that changes nothing.

    :param reason: ``malformed``: no token of ours; ``signature``: forged, or signed with another secret; ``expired``:
        too old, or dated in the future; ``task``: the task has no such submission (any more); ``job``: the call names
        another job than the task's, or none where one is needed.
    """

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


@dataclass(frozen=True)
class Submitter:
    """Who submitted: a task in Airflow, and which of its submissions.

    :param conn_id: the connection, whose secret signs.
    :param kind: of the job: ``storyboard`` or ``render``.
    :param dag_id: the DAG.
    :param run_id: the DAG run.
    :param task_id: the task.
    :param generation: of the task, as in its record (``provider.submission``).
    :param begun_at: epoch seconds: the record's ``begun_at``, which tells one submission of a generation from another.
    :param map_index: of a mapped task; -1 for none.
    :param stage: names the record of a task that makes several submissions.
    """

    conn_id: str
    kind: Kind
    dag_id: str
    run_id: str
    task_id: str
    generation: int
    begun_at: float
    map_index: int = -1
    stage: str = ""


_KEYS = {
    "c": "conn_id",
    "k": "kind",
    "d": "dag_id",
    "r": "run_id",
    "t": "task_id",
    "g": "generation",
    "b": "begun_at",
    "m": "map_index",
    "s": "stage",
}
_DEFAULTS = {"map_index": -1, "stage": ""}
_STAGE = re.compile(r"[\w-]*")


def webhook_url(callback_base_url: str, secret: str, submitter: Submitter, now: float) -> str:
    """The URL for one submission; the same arguments give the same URL (source: ours).

    :param callback_base_url: Airflow's public address, with a path prefix where it has one.
    :param secret: signs.
    :param submitter: who submits.
    :param now: epoch seconds, from which the URL's age counts.
    """
    values = {
        key: value
        for key, name in _KEYS.items()
        if (value := getattr(submitter, name)) != _DEFAULTS.get(name)
    }
    token = f"{VERSION}{_serializer(secret, now).dumps(values)}"
    return f"{callback_base_url.rstrip('/')}{WEBHOOK_PATH}/{token}"


def claimed(token: str) -> Submitter:
    """What a token says, **not verified**: only to learn whose secret would have signed it.

    :param token: the last segment of the URL that was called.
    :raises WebhookRefusedError: ``malformed``.
    """
    payload = _signed(token).rsplit(".", 2)[0]
    try:
        return _submitter(_serializer("unused", 0.0).load_payload(payload.encode()))
    except BadData:
        raise WebhookRefusedError("malformed") from None


def verified(token: str, secret: str, now: float) -> Submitter:
    """Whom a token names, when it was signed with this secret and not too long ago.

    :param token: the last segment of the URL that was called.
    :param secret: of the connection that ``claimed`` names.
    :param now: epoch seconds.
    :raises WebhookRefusedError: ``malformed``, ``signature`` or ``expired``.
    """
    try:
        values, signed_at = _serializer(secret, now).loads(_signed(token), return_timestamp=True)
    except BadSignature:
        raise WebhookRefusedError("signature") from None
    except BadData:
        raise WebhookRefusedError("malformed") from None
    if not -MAX_AHEAD <= now - signed_at.timestamp() <= MAX_AGE:
        raise WebhookRefusedError("expired")
    return _submitter(values)


class _Signer(TimestampSigner):
    """Signs with a date that is given, and compares signatures as text: decoded, several texts would be the same."""

    def __init__(self, *args: Any, now: float = 0.0, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._now = now

    def get_timestamp(self) -> int:
        return int(self._now)

    def verify_signature(self, value: str | bytes, sig: str | bytes) -> bool:
        return hmac.compare_digest(want_bytes(sig), self.get_signature(value))


class _Serializer(URLSafeTimedSerializer):
    """Unpacks no more than is allowed, whoever packed it."""

    def load_payload(self, payload: bytes, *args: Any, **kwargs: Any) -> Any:
        if payload.startswith(b"."):
            try:
                unpacking = zlib.decompressobj()
                text = unpacking.decompress(base64_decode(payload[1:]), MAX_PAYLOAD)
            except (BadData, zlib.error):
                raise BadPayload("no packed payload") from None
            if unpacking.unconsumed_tail or not unpacking.eof:
                raise BadPayload("too long, or cut off")
            return Serializer.load_payload(self, text, *args, **kwargs)
        return super().load_payload(payload, *args, **kwargs)


def _serializer(secret: str, now: float) -> _Serializer:
    return _Serializer(
        secret,
        salt=f"video_creation.webhook.{VERSION}",
        signer=_Signer,
        signer_kwargs={"now": now, "digest_method": hashlib.sha256, "key_derivation": "hmac"},
    )


def _signed(token: str) -> str:
    """What of a token is signed, with its signature; of the right shape and length."""
    if len(token) > MAX_TOKEN or not re.fullmatch(rf"{VERSION}\.?[\w-]+\.[\w-]+\.[\w-]+", token, re.ASCII):
        raise WebhookRefusedError("malformed")
    return token[len(VERSION) :]


def _submitter(values: Any) -> Submitter:
    if not isinstance(values, dict):
        raise WebhookRefusedError("malformed")
    given = {**_DEFAULTS, **{name: values[key] for key, name in _KEYS.items() if key in values}}
    texts = [given.get(name) for name in ("conn_id", "kind", "dag_id", "run_id", "task_id", "stage")]
    are_texts = all(isinstance(text, str) and _can_be_an_id(text) for text in texts)
    are_whole = all(type(given.get(name)) is int for name in ("generation", "map_index"))
    is_time = type(given.get("begun_at")) in (int, float)
    if not (are_texts and are_whole and is_time and given["kind"] in get_args(Kind)):
        raise WebhookRefusedError("malformed")
    # Whoever knows a connection's secret can sign; a slash would lead to other places in Airflow than this task.
    if any("/" in given[name] for name in ("dag_id", "run_id", "task_id")) or not _STAGE.fullmatch(
        given["stage"]
    ):
        raise WebhookRefusedError("malformed")
    return Submitter(**given)


def _can_be_an_id(text: str) -> bool:
    leads_away = any(part in (".", "..") for part in re.split(r"[/\\]", text))
    return len(text) <= MAX_ID and text.isprintable() and not leads_away
