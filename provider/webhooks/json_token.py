"""The tokens of release 0.1.0, which are still read: a service may call them for a week after an upgrade."""

from __future__ import annotations

import hashlib
import hmac
import re
import zlib
from typing import Any

from itsdangerous import BadData, BadPayload, Serializer, TimestampSigner, URLSafeTimedSerializer
from itsdangerous.encoding import base64_decode, want_bytes

FORM = "1"
"""The first character of such a token."""
MAX_PAYLOAD = 16_384
"""Bytes of the longest payload that is unpacked (ours)."""

_NAMES = {
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


def claimed_values(token: str) -> dict[str, Any]:
    """What a token says, **not verified**.

    :param token: the last segment of the URL that was called.
    :raises BadData: it has another form.
    """
    payload = _signed(token).rsplit(".", 2)[0]
    values = _serializer("unused").load_payload(payload.encode())
    if not isinstance(values, dict):
        raise BadData("no object")
    return {name: values[key] for key, name in _NAMES.items() if key in values}


def signed_at(token: str, secret: str) -> float:
    """The epoch seconds of a token's date, when it was signed with this secret.

    :param token: the last segment of the URL that was called.
    :param secret: of the connection.
    :raises BadSignature: it was signed with another one.
    :raises BadData: it has another form.
    """
    _, date = _serializer(secret).loads(_signed(token), return_timestamp=True)
    return float(date.timestamp())


class _Signer(TimestampSigner):
    """Compares signatures as text: decoded, several texts would be the same."""

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


def _serializer(secret: str) -> _Serializer:
    return _Serializer(
        secret,
        salt=f"video_creation.webhook.{FORM}",
        signer=_Signer,
        signer_kwargs={"digest_method": hashlib.sha256, "key_derivation": "hmac"},
    )


def _signed(token: str) -> str:
    """What of a token is signed, with its signature; of the right shape."""
    if not re.fullmatch(rf"{FORM}\.?[\w-]+\.[\w-]+\.[\w-]+", token, re.ASCII):
        raise BadData("of another shape")
    return token[len(FORM) :]
