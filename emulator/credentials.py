"""Who may call: the emulator's one user and its access tokens."""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Callable

TOKEN = "emulator-token"  # noqa: S105 - not a secret: the emulator's published credentials
USER_ID = "emulator-user"
CLIENT_ID = "emulator-client"
CLIENT_SECRET = "emulator-secret"  # noqa: S105 - not a secret, see TOKEN


class TokenIssuer:
    """Issues access tokens and tells whether one is valid.

    Tokens carry their times and a signature, so that they outlive a restart of the emulator.

    :param key: signing key, any bytes
    :param clock: the time in epoch seconds
    """

    def __init__(self, key: bytes, clock: Callable[[], float] = time.time) -> None:
        self._key = key
        self._clock = clock
        self._issued = 0
        self._expired_before = 0

    def issue(self, lifetime: float) -> str:
        """Make a new token. Source: ours.

        :param lifetime: how long it is valid, in seconds
        """
        self._issued += 1
        claim = f"{self._issued}-{self._clock() + lifetime:.3f}"
        return f"{claim}-{self._signature(claim)}"

    def is_valid(self, token: str) -> bool:
        """Tell whether `token` is the published token, or was issued here and has not expired.

        :param token: as sent in `Authorization`
        """
        if hmac.compare_digest(token.encode(), TOKEN.encode()):
            return True
        claim, _, signature = token.rpartition("-")
        if not hmac.compare_digest(signature.encode(), self._signature(claim).encode()):
            return False
        number, _, expiry = claim.partition("-")
        return int(number) > self._expired_before and self._clock() < float(expiry)

    def expire_all(self) -> None:
        """Make every token invalid that was issued so far; the published token stays valid."""
        self._expired_before = self._issued

    def _signature(self, claim: str) -> str:
        return hmac.new(self._key, claim.encode(), hashlib.sha256).hexdigest()[:32]
