"""Adds a voice to the service's library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .base import BaseRequestOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, XComArg

    from ..provider.models import VoiceoverTrack
    from ..provider.submission import OnAmbiguous


class AddVoiceoverTrackOperator(BaseRequestOperator):
    """Adds a voiceover track (source: the interface, "Add a voiceover track").

    :param track: a model, a dict with wire names, a JSON or YAML text, the name of a .json, .yaml or .yml file
        beside the DAG file, or another task's result.
    :param on_ambiguous: what a retry does when an earlier try may have registered it: ``fail`` or ``resubmit``.
    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's ``user_id``.
    :return: the reply's fields, among them ``id``.
    :raises InvalidRequestError: the request is wrong; nothing was sent.
    :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
    """

    request_field = "track"
    request_model = "VoiceoverTrack"
    template_fields: Sequence[str] = ("track", *BaseRequestOperator.template_fields)
    template_fields_renderers = {"track": "json"}  # noqa: RUF012 - Airflow declares it this way

    def __init__(
        self,
        *,
        track: VoiceoverTrack | Mapping[str, Any] | XComArg | str,
        on_ambiguous: OnAmbiguous = "fail",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.on_ambiguous: OnAmbiguous = on_ambiguous
        self.track = self.take_request(track)

    def execute(self, context: Context) -> dict[str, Any]:
        """Add the track."""
        from ..hooks.airflow_errors import airflow_errors
        from ..provider.models import VoiceoverTrack
        from .submit_once import SubmitOnce

        with airflow_errors():
            request = VoiceoverTrack.read(self.track)
            return SubmitOnce(
                context, "add voiceover track", self.log, on_ambiguous=self.on_ambiguous
            ).registration(request.to_wire(), lambda: self.hook.add_voiceover_track(request), "id")
