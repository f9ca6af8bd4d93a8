"""Adds a voice to the service's library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..provider.registrations.kind import VOICEOVER_TRACK
from .base.registration import BaseRegistrationOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import XComArg

    from ..provider.models import VoiceoverTrack
    from ..provider.submission.paid_request import PaidRequest


class AddVoiceoverTrackOperator(BaseRegistrationOperator):
    """Adds a voiceover track (source: the interface, "Add a voiceover track").

    :param track: a model, a dict with wire names, a JSON or YAML text, the name of a .json, .yaml or .yml file beside
        the DAG file, or another task's result. Templated.
    :param variable: an Airflow Variable that keeps the reply. If it already holds one, nothing is sent. Templated.
    :param if_exists: what to do when the service already has one of that name: ``fail`` with the service's own message,
        or ``return`` it, which needs the path of the service's list in the connection's extra ``paths``
        (``voiceover_track_list``).
    :param on_ambiguous: what a retry does when an earlier try may have added it: ``fail`` or ``resubmit``.
    :param video_creation_conn_id: the connection. Templated.
    :param user_id: fills the user-id header instead of the connection's ``user_id``. Templated.
    :return: the reply's fields, among them ``id``.
    :raises InvalidRequestError: the request is wrong; nothing was sent.
    :raises ConfigurationError: the Variable holds something else; or the one registered under that name differs, or
        cannot be looked up. Nothing was changed.
    :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
    :raises RegistrationNotKeptError: it was added, but the Variable could not be set.
    """

    operation = "add voiceover track"
    kind = VOICEOVER_TRACK
    request_field = "track"
    request_model = "VoiceoverTrack"
    template_fields: Sequence[str] = ("track", *BaseRegistrationOperator.template_fields)
    template_fields_renderers = {"track": "json"}  # noqa: RUF012 - Airflow declares it this way

    def __init__(self, *, track: VoiceoverTrack | Mapping[str, Any] | XComArg | str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.track = self.take_request(track)

    def paid_request(self, request: Any) -> PaidRequest[dict[str, Any]]:
        """The checked request as the hook sends it.

        :param request: the model.
        """
        return self.hook.voiceover_track_request(request)
