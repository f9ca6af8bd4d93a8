"""What tells one submission from all others at the service: its key, where it went, and what was sent.

The key is made once for a submission, before its intent is stored, and stays with the record. Every send of the
submission carries it: each repeat of the request, and the one of a later try that finds the intent without an answer.
A cleared task, another stage, another map index, and what is submitted after a failed job or after a refusal is a
submission of its own: it has another record, or begins a new one, and so another key.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from ...stored_dataclass import thawed_strictly
from ..request_digests import digest_of
from .mark import mark

if TYPE_CHECKING:
    from ...connection.profile import ServiceProfile
    from ...protocol.calls import Call


@dataclass(frozen=True)
class Identity:
    """What a submission is known by; its record keeps it (source: ours).

    :param key: random, as hexadecimal digits.
    :param content: digest of the method, the path and the whole body that was sent.
    :param place: digest of the service and the account to which it was sent.
    :param header: the header in which the key was sent; None for none.
    :param marker: the field of the request in which the mark was sent; None for none.
    """

    key: str
    content: str
    place: str
    header: str | None = None
    marker: str | None = None

    @classmethod
    def of(
        cls, call: Call, key: str, profile: ServiceProfile, user_id: str | None, kind: str | None
    ) -> Identity:
        """The identity of what is about to be sent.

        :param call: with its whole body.
        :param key: of the submission.
        :param profile: of the connection.
        :param user_id: the task's own; None for the connection's.
        :param kind: of the job; None for a registration.
        """
        field = profile.marker_field
        is_marked = bool(field and kind and mark(kind, key) in str((call.body or {}).get(field)))
        head = f"{call.method} {call.path}\n".encode()
        return cls(
            key,
            hashlib.sha256(head + call.content).hexdigest(),
            place_of(profile, user_id),
            profile.idempotency_header if call.key else None,
            field if is_marked else None,
        )

    @classmethod
    def from_json(cls, stored: Any) -> Self | None:
        """The identity in a stored record; None where there is none that can be understood.

        :param stored: a JSON value, perhaps of another release.
        """
        return thawed_strictly(cls, stored)


def place_of(profile: ServiceProfile, user_id: str | None) -> str:
    """A digest of the service and the account to which a connection leads; it holds no secret.

    :param profile: of the connection.
    :param user_id: the task's own; None for the connection's.
    """
    return digest_of([profile.base_url, user_id or profile.user_id, profile.client_id])


def honours(
    profile: ServiceProfile, user_id: str | None, identity: Identity | None, begun_at: float, now: float
) -> bool:
    """Whether the service makes nothing twice when a submission is sent again under its key.

    :param profile: of the connection.
    :param user_id: the task's own; None for the connection's.
    :param identity: in the record; None where an older release kept none.
    :param begun_at: epoch seconds at which the submission began.
    :param now: epoch seconds.
    """
    return (
        identity is not None
        and identity.header is not None
        and identity.header == profile.idempotency_header
        and identity.place == place_of(profile, user_id)
        and abs(now - begun_at) < profile.idempotency_hours * 3600
    )
