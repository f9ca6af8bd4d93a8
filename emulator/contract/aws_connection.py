"""The request and the reply of "Register an AWS connection"."""

from __future__ import annotations

from .wire_types import AccountId, Name, Region, WireModel


class AwsConnectionRequest(WireModel):
    """A connection to register. Source: the interface, "AWS connection"."""

    name: Name
    description: str | None = None
    awsAccountId: AccountId
    awsRegion: Region
    enabled: bool


class AwsConnectionReply(AwsConnectionRequest):
    """The registered connection. Source: the interface, "AWS connection"."""

    connectionId: str
    version: int
