"""Lets the processes of one user on one machine share a fetched token: a task is a process of its own.

The token lies in ``hooks.private_files``, encrypted with a key that is made of the client secret. Anybody who can read
it there could also fetch one, and without the secret the file is useless.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from functools import cached_property
from typing import Self

from ...provider.connection.profile import ServiceProfile
from ...provider.protocol.authentication import SANE_LIFETIME, Token
from ..private_files import PrivateFiles


class SharedToken:
    """The token of one client at one authentication API.

    :param profile: of a connection whose tokens are fetched.
    """

    def __init__(self, profile: ServiceProfile) -> None:
        self._secret = profile.secret.encode(errors="surrogatepass")
        client = [profile.auth_url, profile.client_id, profile.token_request]
        self._client = json.dumps(client).encode()

    @classmethod
    def of(cls, profile: ServiceProfile) -> Self | None:
        """The shared token of a connection; None if its tokens are not fetched, or not shared.

        :param profile: of the connection.
        """
        return cls(profile) if profile.auth_url and profile.share_tokens else None

    def find(self, now: float) -> Token | None:
        """The token that a process has left; None if there is none that is valid for a while.

        :param now: epoch seconds.
        """
        from cryptography.fernet import Fernet, InvalidToken

        sealed = PrivateFiles().read(self._name)
        if sealed is None:
            return None
        try:
            value, renew_at = json.loads(Fernet(self._key).decrypt(sealed))
        except (InvalidToken, ValueError, TypeError):
            return None
        # A clock that was far ahead may have left one that would never be renewed.
        if (
            not isinstance(value, str)
            or not isinstance(renew_at, int | float)
            or not now < renew_at <= now + SANE_LIFETIME[1]
        ):
            return None
        return Token(value, float(renew_at))

    def leave(self, token: Token) -> None:
        """Let other processes find a token.

        :param token: fetched just now.
        """
        from cryptography.fernet import Fernet

        plain = json.dumps([token.value, token.renew_at]).encode()
        PrivateFiles().write(self._name, Fernet(self._key).encrypt(plain))

    @cached_property
    def _name(self) -> str:
        return f"token-{self._derived(b'name').hex()[:32]}"

    @cached_property
    def _key(self) -> bytes:
        return base64.urlsafe_b64encode(self._derived(b"key"))

    def _derived(self, use: bytes) -> bytes:
        return hmac.digest(self._secret, use + b"\0" + self._client, hashlib.sha256)
