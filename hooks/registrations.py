"""What the hook registers at the service under a unique name: connections to private media, and voices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import BaseHook

from .airflow.errors import airflow_errors

if TYPE_CHECKING:
    from ..provider.connection.profile import ServiceProfile
    from ..provider.models import AwsConnection, VoiceoverTrack
    from ..provider.protocol.exchange import Result
    from ..provider.submission.paid_request import PaidRequest
    from .transport.service_client import ServiceClient, WhileWaiting


class RegistrationsMixin(BaseHook):
    """Registers AWS connections and voiceover tracks, and looks after them (source: ours)."""

    if TYPE_CHECKING:
        # What the whole hook has.
        @property
        def profile(self) -> ServiceProfile: ...
        @property
        def _client(self) -> ServiceClient: ...
        def submit(self, request: PaidRequest[Result], *, while_waiting: WhileWaiting = ...) -> Result: ...

    def register_aws_connection(self, connection: AwsConnection | Mapping[str, Any] | str) -> dict[str, Any]:
        """Register a connection to private media (source: the interface, "Register an AWS connection").

        :param connection: a model, a dict with wire names, or a JSON or YAML text.
        :return: the reply's fields, among them ``connectionId``.
        :raises ConfigurationError: the connection cannot be used.
        :raises InvalidRequestError: the request is wrong; nothing was sent.
        :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
        :raises ServiceError: everything else that can go wrong on the way.
        """
        return self.submit(self.aws_connection_request(connection))

    def aws_connection_request(
        self, connection: AwsConnection | Mapping[str, Any] | str
    ) -> PaidRequest[dict[str, Any]]:
        """A checked AWS connection as ``submit`` sends it (source: ours).

        :param connection: a model, a dict with wire names, or a JSON or YAML text.
        :return: the request; nothing is sent.
        :raises InvalidRequestError: the request is wrong.
        :raises ConfigurationError: there is no such connection, or its fields must be changed.
        """
        from ..provider.submission import paid_request

        with airflow_errors():
            return paid_request.of_aws_connection(self.profile, connection)

    def add_voiceover_track(self, track: VoiceoverTrack | Mapping[str, Any] | str) -> dict[str, Any]:
        """Add a voice to the service's library (source: the interface, "Add a voiceover track").

        :param track: a model, a dict with wire names, or a JSON or YAML text.
        :return: the reply's fields, among them ``id``.
        :raises ConfigurationError: the connection cannot be used.
        :raises InvalidRequestError: the request is wrong; nothing was sent.
        :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
        :raises ServiceError: everything else that can go wrong on the way.
        """
        return self.submit(self.voiceover_track_request(track))

    def voiceover_track_request(
        self, track: VoiceoverTrack | Mapping[str, Any] | str
    ) -> PaidRequest[dict[str, Any]]:
        """A checked voiceover track as ``submit`` sends it (source: ours).

        :param track: a model, a dict with wire names, or a JSON or YAML text.
        :return: the request; nothing is sent.
        :raises InvalidRequestError: the request is wrong.
        :raises ConfigurationError: there is no such connection, or its fields must be changed.
        """
        from ..provider.submission import paid_request

        with airflow_errors():
            return paid_request.of_voiceover_track(self.profile, track)
