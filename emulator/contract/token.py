"""The token endpoint. Source: ours; the interface leaves it to an authentication API."""

from __future__ import annotations

from typing import Literal

from .wire_types import WireModel


class TokenRequest(WireModel):
    """Client id and secret, sent as JSON."""

    client_id: str
    client_secret: str


class TokenForm(TokenRequest):
    """Client id and secret, sent as an OAuth2 form."""

    grant_type: Literal["client_credentials"]


class TokenReply(WireModel):
    """The token, and the seconds for which it is valid."""

    access_token: str
    expires_in: int
