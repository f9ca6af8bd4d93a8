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


class AwsConnectionChange(WireModel):
    """What of a connection is changed; what is absent stays. Source: ours; comparable services have it."""

    name: Name | None = None
    description: str | None = None
    awsAccountId: AccountId | None = None
    awsRegion: Region | None = None
    enabled: bool | None = None


class AwsConnectionList(WireModel):
    """All connections. Source: ours; comparable services have it."""

    data: list[AwsConnectionReply]
