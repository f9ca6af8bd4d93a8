"""The address at which the service tells Airflow that a job has ended: signed, dated, and naming the task that waits.

Whoever has the URL can say that a job of this one submission has ended, and nothing else: it holds no secret, opens
nothing else, and what is said there is read again at the service. It is a capability all the same: never logged.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from itsdangerous import BadData, BadSignature

from ..plugin_paths import WEBHOOK_PATH
from . import compact_token, json_token

MAX_AGE = 7 * 24 * 3600.0
"""Seconds for which a URL is taken (ours)."""
MAX_AHEAD = 300.0
"""Seconds that the date of a URL may lie in the future, since clocks differ (ours)."""
MAX_TOKEN = 6000
"""Characters of the longest token that is read: the longest names that Airflow's database takes fit in (ours)."""
MAX_ID = 250
"""Characters of the longest id that Airflow's database takes (source: Airflow)."""

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


_DEFAULTS = {"map_index": -1, "stage": ""}
_STAGE = re.compile(r"[\w-]*")


def webhook_url(callback_base_url: str, secret: str, submitter: Submitter) -> str:
    """The URL for one submission, whose age counts from ``begun_at`` (source: ours).

    :param callback_base_url: Airflow's public address, with a path prefix where it has one.
    :param secret: signs.
    :param submitter: who submits.
    """
    token = compact_token.signed(asdict(submitter), secret)
    return f"{callback_base_url.rstrip('/')}{WEBHOOK_PATH}/{token}"


def claimed(token: str) -> Submitter:
    """What a token says, **not verified**: only to learn whose secret would have signed it.

    :param token: the last segment of the URL that was called.
    :raises WebhookRefusedError: ``malformed``.
    """
    if len(token) > MAX_TOKEN:
        raise WebhookRefusedError("malformed")
    reader = json_token if token.startswith(json_token.FORM) else compact_token
    try:
        return _submitter(reader.claimed_values(token))
    except (BadData, ValueError):
        raise WebhookRefusedError("malformed") from None


def verified(token: str, secret: str, now: float) -> Submitter:
    """Whom a token names, when it was signed with this secret and not too long ago.

    :param token: the last segment of the URL that was called.
    :param secret: of the connection that ``claimed`` names.
    :param now: epoch seconds.
    :raises WebhookRefusedError: ``malformed``, ``signature`` or ``expired``.
    """
    submitter = claimed(token)
    if token.startswith(json_token.FORM):
        try:
            dated = json_token.signed_at(token, secret)
        except BadSignature:
            raise WebhookRefusedError("signature") from None
    else:
        if not compact_token.is_signed(token, secret):
            raise WebhookRefusedError("signature")
        dated = submitter.begun_at
    if not -MAX_AHEAD <= now - dated <= MAX_AGE:
        raise WebhookRefusedError("expired")
    return submitter


def _submitter(values: dict[str, Any]) -> Submitter:
    given = {**_DEFAULTS, **values}
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
