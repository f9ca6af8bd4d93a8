"""Registers a connection to private media."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .base import BaseRequestOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, XComArg

    from ..provider.models import AwsConnection
    from ..provider.submission import OnAmbiguous


class RegisterAwsConnectionOperator(BaseRequestOperator):
    """Registers an AWS connection (source: the interface, "Register an AWS connection").

    :param connection: a model, a dict with wire names, a JSON or YAML text, the name of a .json, .yaml or .yml file
        beside the DAG file, or another task's result.
    :param on_ambiguous: what a retry does when an earlier try may have registered it: ``fail`` or ``resubmit``.
    :param video_creation_conn_id: the Airflow connection.
    :param user_id: fills the user-id header instead of the Airflow connection's ``user_id``.
    :return: the reply's fields, among them ``connectionId``.
    :raises InvalidRequestError: the request is wrong; nothing was sent.
    :raises AmbiguousSubmissionError: it may have been accepted; it was not sent again.
    """

    request_field = "connection"
    request_model = "AwsConnection"
    template_fields: Sequence[str] = ("connection", *BaseRequestOperator.template_fields)
    template_fields_renderers = {"connection": "json"}  # noqa: RUF012 - Airflow declares it this way

    def __init__(
        self,
        *,
        connection: AwsConnection | Mapping[str, Any] | XComArg | str,
        on_ambiguous: OnAmbiguous = "fail",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.on_ambiguous: OnAmbiguous = on_ambiguous
        self.connection = self.take_request(connection)

    def execute(self, context: Context) -> dict[str, Any]:
        """Register the connection."""
        from ..hooks.airflow_errors import airflow_errors
        from ..provider.models import AwsConnection
        from .submit_once import SubmitOnce

        with airflow_errors():
            request = AwsConnection.read(self.connection)
            return SubmitOnce(
                context, "register AWS connection", self.log, on_ambiguous=self.on_ambiguous
            ).registration(
                request.to_wire(), lambda: self.hook.register_aws_connection(request), "connectionId"
            )
