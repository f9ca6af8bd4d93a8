"""The hook's calls for what is registered at the service, connections and voices: lists, changes and deletes it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ..provider.errors import ConfigurationError, NotFoundError
from .airflow.errors import airflow_errors
from .service_hook import BaseServiceHook

if TYPE_CHECKING:
    from ..provider.registrations.kind import RegistrationKind
    from ..provider.service_lists.listing import Listed

_LIST_ALL = "Add a query that makes it list all to extra paths.{}, such as ?limit=1000"


class BaseRegistrationsHook(BaseServiceHook):
    """Lists AWS connections and voiceover tracks, changes and deletes them (source: ours)."""

    def list_aws_connections(self) -> list[dict[str, Any]]:
        """All registered AWS connections, where the connection's ``paths.aws_connection_list`` is set (source: ours).

        :return: the fields of each, as the service names them.
        :raises ConfigurationError: the connection names no such path, or cannot be used.
        :raises ServiceError: any other error of the request.
        """
        from ..provider.registrations.kind import AWS_CONNECTION

        return self.list_registered(AWS_CONNECTION)

    def list_voiceover_tracks(self) -> list[dict[str, Any]]:
        """All voices of the library, where the connection's ``paths.voiceover_track_list`` is set (source: ours).

        :return: the fields of each, as the service names them.
        :raises ConfigurationError: the connection names no such path, or cannot be used.
        :raises ServiceError: any other error of the request.
        """
        from ..provider.registrations.kind import VOICEOVER_TRACK

        return self.list_registered(VOICEOVER_TRACK)

    def list_registered(self, kind: RegistrationKind) -> list[dict[str, Any]]:
        """All of one kind that the service lists; the log says if it holds back some (source: ours).

        :param kind: of what is registered.
        :raises ConfigurationError: the connection names no such path, or cannot be used.
        :raises ServiceError: any other error of the request.
        """
        listed = self._listed(kind)
        if not listed.is_whole:
            self.log.warning("%s. %s", _has_more(listed, kind), _LIST_ALL.format(kind.list_path))
        return [dict(entry) for entry in listed.entries]

    def find_registered(self, kind: RegistrationKind, wanted: Mapping[str, Any]) -> dict[str, Any] | None:
        """What the service lists under the name of a request; None if it has none (source: ours).

        :param kind: of what is registered.
        :param wanted: the request, as it is sent.
        :return: its fields, with the id under the interface's name.
        :raises ConfigurationError: it differs, or has no id; or the list is not complete and does not show it; or the
            connection names no list, or cannot be used.
        :raises ServiceError: any other error of the request.
        """
        from ..provider.registrations.found import found_by_name

        listed = self._listed(kind)
        with airflow_errors():
            there = found_by_name(kind, listed.entries, wanted)
            if there is None and not listed.is_whole:
                raise ConfigurationError(
                    f"{_has_more(listed, kind)}. So it is not known whether {wanted['name']!r} is registered. Nothing "
                    f"was registered now. {_LIST_ALL.format(kind.list_path)}."
                )
        return there

    def _listed(self, kind: RegistrationKind) -> Listed:
        from ..provider.registrations.calls import read_registered
        from ..provider.service_lists.listing import list_call

        with airflow_errors():
            call = list_call(self.profile, kind.list_path, f"list {kind.noun}s")
            return self._client.make(call, partial(read_registered, kind=kind))

    def set_aws_connection_enabled(self, connection_id: str, enabled: bool) -> dict[str, Any]:
        """Enable or disable an AWS connection, where ``paths.aws_connection`` is set (source: ours).

        With extra ``update_method`` PUT the whole connection is read and sent again, with this one field changed.

        :param connection_id: what registering it returned.
        :param enabled: True to enable it, False to disable it.
        :return: the fields of the service's answer; empty if it has none.
        :raises ConfigurationError: the connection names no such path, or cannot be used; or there is no id.
        :raises NotFoundError: the service does not know the connection.
        :raises ServiceError: any other error of the request.
        """
        from ..provider.registrations.calls import one_call, read_answer, read_whole, with_enabled
        from ..provider.registrations.kind import AWS_CONNECTION

        verb, method = "enable" if enabled else "disable", self.profile.update_method
        with airflow_errors():
            if not isinstance(enabled, bool):
                raise ConfigurationError(f"enabled must be True or False, not {enabled!r}. Nothing was sent.")
            body: dict[str, Any] = {"enabled": enabled}
            if method == "PUT":
                read = one_call(self.profile, AWS_CONNECTION, "read", "GET", connection_id)
                body = with_enabled(self._client.make(read, read_whole), enabled)
            call = one_call(self.profile, AWS_CONNECTION, verb, method, connection_id, body)
            answer = self._client.make(call, read_answer)
        self.log.info("AWS connection %s was %sd", connection_id, verb)
        return answer

    def delete_aws_connection(self, connection_id: str) -> bool:
        """Delete an AWS connection, where ``paths.aws_connection`` is set (source: ours).

        :param connection_id: what registering it returned.
        :return: whether it was there. One that the service does not know counts as deleted.
        :raises ConfigurationError: the connection names no such path, or cannot be used; or there is no id.
        :raises ServiceError: any other error of the request.
        """
        from ..provider.registrations.kind import AWS_CONNECTION

        return self._delete(AWS_CONNECTION, connection_id)

    def delete_voiceover_track(self, track_id: int | str) -> bool:
        """Take a voice out of the library, where ``paths.voiceover_track`` is set (source: ours).

        :param track_id: what adding it returned.
        :return: whether it was there. One that the service does not know counts as deleted.
        :raises ConfigurationError: the connection names no such path, or cannot be used; or there is no id.
        :raises ServiceError: any other error of the request.
        """
        from ..provider.registrations.kind import VOICEOVER_TRACK

        return self._delete(VOICEOVER_TRACK, track_id)

    def _delete(self, kind: RegistrationKind, registered_id: object) -> bool:
        from ..provider.registrations.calls import one_call, read_answer

        with airflow_errors():
            call = one_call(self.profile, kind, "delete", "DELETE", registered_id)
            try:
                self._client.make(call, read_answer)
            except NotFoundError as error:
                self.log.warning("It counts as deleted, since the service does not know it. %s", error)
                return False
        self.log.info("The %s %s was deleted", kind.noun, registered_id)
        return True


def _has_more(listed: Listed, kind: RegistrationKind) -> str:
    return f"List {kind.noun}s: the service names {len(listed.entries)} of them and has more"
