"""What can be registered at the service, and how its lists name it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class RegistrationKind:
    """One kind of what is registered under a unique name (source: ours, but for the names of the request's fields).

    :param noun: for messages.
    :param request_argument: which argument of the operator holds the request.
    :param list_path: the key of the list's path in the connection's extra ``paths``.
    :param one_path: the key of the path of one of them.
    :param id_in_path: what stands for the id there.
    :param plurals: under which the service's answer may hold the list, beside the usual names.
    :param id_names: the field that identifies one of them: the interface's name first, then what lists may call it.
    :param compared: the fields that make one of them another one: the interface's name -> what lists may call it.
    :param delete_method: of the hook.
    """

    noun: str
    request_argument: str
    list_path: str
    one_path: str
    id_in_path: str
    plurals: tuple[str, ...]
    id_names: tuple[str, ...]
    compared: Mapping[str, tuple[str, ...]]
    delete_method: str

    @property
    def id_field(self) -> str:
        """The field that identifies one of them, as the interface names it."""
        return self.id_names[0]


AWS_CONNECTION = RegistrationKind(
    noun="AWS connection",
    request_argument="connection",
    list_path="aws_connection_list",
    one_path="aws_connection",
    id_in_path="connection_id",
    plurals=("awsConnections", "connections"),
    id_names=("connectionId", "awsConnectionId", "id"),
    compared={
        "awsAccountId": ("awsAccountId", "accountId"),
        "awsRegion": ("awsRegion", "region"),
        "enabled": ("enabled", "isEnabled"),
    },
    delete_method="delete_aws_connection",
)
VOICEOVER_TRACK = RegistrationKind(
    noun="voiceover track",
    request_argument="track",
    list_path="voiceover_track_list",
    one_path="voiceover_track",
    id_in_path="track_id",
    plurals=("voiceoverTracks", "tracks", "voiceovers", "voices"),
    id_names=("id", "trackId", "voiceoverId"),
    compared={
        "service": ("service", "provider"),
        "voiceId": ("voiceId",),
        "language": ("language", "languageCode"),
    },
    delete_method="delete_voiceover_track",
)
