"""Creates the customer-side role for private media."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..hooks.airflow.errors import airflow_errors
from ..hooks.airflow.mapped_data import MappedDataMixin
from ..hooks.airflow.template import is_template

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context

    from ..provider.private_media.role import PrivateMediaRole


class CreatePrivateMediaRoleOperator(MappedDataMixin):
    """Creates the role that lets the service read private media, or updates it to what the service expects.

    Needs the extra ``[amazon]``. The role's trust policy and one inline policy are compared and, where they differ,
    replaced; nothing else of the role is touched. Safe to repeat. (Source: the interface, "Customer-side setup for
    private media".)

    :param service_account_id: the service's cloud account, 12 digits as a string. Templated.
    :param role_prefix: chosen by the service. The role's name is this prefix followed by ``CloudIntegrationRole``.
        Templated.
    :param bucket: the bucket, or a list of all buckets, that the service may read. Templated.
    :param aws_conn_id: an Airflow connection of the type Amazon Web Services, for the account that owns the buckets.
        None: the credentials that boto3 finds by itself. Templated.
    :return: ``role_name``, ``role_arn``, ``account_id`` (for ``awsAccountId``) and ``changes``, a list of strings.
    :raises InvalidRequestError: an argument is wrong; nothing was changed.
    :raises ConfigurationError: the extra is not installed, or the cloud refuses.
    :raises PrivateMediaRoleError: the cloud could not be reached now; a retry continues.
    """

    template_fields: Sequence[str] = ("service_account_id", "role_prefix", "bucket", "aws_conn_id")
    ui_color = "#e8e3f6"

    def __init__(
        self,
        *,
        service_account_id: str,
        role_prefix: str,
        bucket: str | Sequence[str],
        aws_conn_id: str | None = "aws_default",
        **kwargs: Any,
    ) -> None:
        # So that `task.output["account_id"]` is the result's field.
        super().__init__(**{"multiple_outputs": True, **kwargs})
        self.service_account_id = service_account_id
        self.role_prefix = role_prefix
        self.bucket = bucket
        self.aws_conn_id = aws_conn_id
        if not is_template([service_account_id, role_prefix, bucket]):
            self._role()

    def execute(self, context: Context) -> dict[str, Any]:
        """Compare the role and change what differs."""
        from ..hooks.private_media_role import PrivateMediaRoleHook

        role = self._role()
        with airflow_errors():
            result = PrivateMediaRoleHook(self.aws_conn_id, self.log).put(role)
        for change in result["changes"] or ["nothing to change"]:
            self.log.info("%s: %s", result["role_arn"], change)
        return result

    def _role(self) -> PrivateMediaRole:
        from ..provider.private_media.role import PrivateMediaRole

        with airflow_errors():
            return PrivateMediaRole.of(self.role_prefix, self.service_account_id, self.bucket)
