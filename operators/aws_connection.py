"""Registers a connection to private media."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .base import BaseRequestOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, XComArg

    from ..provider.models import AwsConnection


class RegisterAwsConnectionOperator(BaseRequestOperator):
    """Registers an AWS connection (source: the interface, "Register an AWS connection").

    :param connection: a model, a dict with wire names, a JSON or YAML text, the name of a .json, .yaml or .yml file
        beside the DAG file, or another task's result.
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
        self, *, connection: AwsConnection | Mapping[str, Any] | XComArg | str, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.connection = self.take_request(connection)

    def execute(self, context: Context) -> dict[str, Any]:
        """Register the connection."""
        return self.hook.register_aws_connection(self.connection)
