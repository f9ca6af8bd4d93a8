"""Puts the customer-side role for private media into the cloud account, through the Amazon provider's connection."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..provider.errors import ConfigurationError, PrivateMediaRoleError
from ..provider.private_media.role import POLICY_NAME, Policy, PrivateMediaRole, same_policy

NEEDED_ACTIONS = (
    "iam:GetRole",
    "iam:CreateRole",
    "iam:UpdateAssumeRolePolicy",
    "iam:GetRolePolicy",
    "iam:PutRolePolicy",
)
"""The actions on the role that the Airflow connection's identity needs."""
PASSING = frozenset(
    {"ConcurrentModification", "EntityAlreadyExists", "NoSuchEntity", "RequestLimitExceeded", "Throttling"}
)
"""The cloud's refusals that a retry may fix: a new role is visible only after some seconds."""


class PrivateMediaRoleHook:
    """Compares and changes the role through the Amazon provider's connection (source: ours).

    :param aws_conn_id: an Airflow connection of the type Amazon Web Services; None: the credentials that boto3 finds by
        itself.
    :param log: logs what is replaced, and what was there.
    """

    def __init__(self, aws_conn_id: str | None, log: logging.Logger | Any) -> None:
        self.aws_conn_id = aws_conn_id
        self.log = log

    def put(self, role: PrivateMediaRole) -> dict[str, Any]:
        """Create the role, or update its trust policy and its inline policy.

        Its other policies and settings are left alone.

        :param role: the role as it must be.
        :return: ``role_name``, ``role_arn``, ``account_id`` (of the customer) and ``changes``, a list of strings.
        :raises ConfigurationError: the extra is not installed, or the cloud refuses.
        :raises PrivateMediaRoleError: the cloud could not be reached now.
        """
        changes: list[str] = []
        with self._aws_errors(role):
            iam = self._iam()
            found = _found(iam, "get_role", "Role", RoleName=role.name)
            if found is None:
                created = iam.create_role(
                    RoleName=role.name,
                    AssumeRolePolicyDocument=json.dumps(role.trust_policy),
                    Description="Lets the video creation service read private media",
                )
                found = created["Role"]
                iam.get_waiter("role_exists").wait(RoleName=role.name)
                changes.append(f"created the role {role.name}")
            elif not same_policy(found["AssumeRolePolicyDocument"], role.trust_policy):
                self._say_replaced("trust policy", role, found["AssumeRolePolicyDocument"])
                iam.update_assume_role_policy(
                    RoleName=role.name, PolicyDocument=json.dumps(role.trust_policy)
                )
                changes.append(f"replaced the trust policy of the role {role.name}")
            changes += self._put_permissions(iam, role)
        arn = found["Arn"]
        return {
            "role_name": role.name,
            "role_arn": arn,
            "account_id": arn.split(":")[4],
            "changes": changes,
        }

    def _put_permissions(self, iam: Any, role: PrivateMediaRole) -> list[str]:
        names = {"RoleName": role.name, "PolicyName": POLICY_NAME}
        policy = _found(iam, "get_role_policy", "PolicyDocument", **names)
        if policy is not None and same_policy(policy, role.permissions_policy):
            return []
        if policy is not None:
            self._say_replaced(f"inline policy {POLICY_NAME}", role, policy)
        iam.put_role_policy(**names, PolicyDocument=json.dumps(role.permissions_policy))
        verb = "created" if policy is None else "replaced"
        return [f"{verb} the inline policy {POLICY_NAME} of the role {role.name}"]

    def _say_replaced(self, what: str, role: PrivateMediaRole, was: Policy) -> None:
        self.log.warning("The %s of the role %s is replaced; it was: %s", what, role.name, json.dumps(was))

    def _iam(self) -> Any:
        try:
            from airflow.providers.amazon.aws.hooks.base_aws import AwsBaseHook
        except ImportError as error:
            missing = isinstance(error, ModuleNotFoundError)
            raise ConfigurationError(
                f"Creating the role needs {error.name or 'a package'}, which "
                f"{'is not installed' if missing else f'cannot be imported ({error})'}: "
                "run pip install 'airflow-provider-video-creation[amazon]'. Without it, "
                "python -m airflow_video_creation private-media prints the policies for the cloud's own tools."
            ) from error
        return AwsBaseHook(aws_conn_id=self.aws_conn_id, client_type="iam").get_conn()

    @contextmanager
    def _aws_errors(self, role: PrivateMediaRole) -> Iterator[None]:
        """Raise the cloud's errors as ours."""
        try:
            yield
        except Exception as error:
            raise self._ours(error, role) from error

    def _ours(self, error: Exception, role: PrivateMediaRole) -> Exception:
        """An error of boto3 as ours; any other error unchanged."""
        if not type(error).__module__.startswith(("botocore.", "boto3.")):
            return error
        from botocore.exceptions import ClientError, ConnectionError, HTTPClientError

        about = f"The role {role.name}, with the Airflow connection {self.aws_conn_id!r}"
        if not isinstance(error, ClientError):
            message = f"{about}: the cloud cannot be reached: {str(error).rstrip('.')}."
            if isinstance(error, ConnectionError | HTTPClientError):
                return PrivateMediaRoleError(f"{message} Try again later.")
            return ConfigurationError(f"{message} Check the connection's key and extra.")
        details = error.response.get("Error", {})
        code, said = details.get("Code", ""), details.get("Message", "").rstrip(".")
        message = f"{about}: the cloud refused {error.operation_name} ({code}: {said})."
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 500)
        if code in PASSING or status >= 500:
            return PrivateMediaRoleError(f"{message} Try again later.")
        if code == "MalformedPolicyDocument":
            return ConfigurationError(
                f"{message} Check that service_account_id is the service's own account. The two trusted roles must "
                "exist there."
            )
        return ConfigurationError(
            f"{message} The connection's identity needs {', '.join(NEEDED_ACTIONS)} on this role."
        )


def _found(iam: Any, operation: str, field: str, **names: str) -> Any:
    """The cloud's answer to a read; None if there is no such thing."""
    try:
        return getattr(iam, operation)(**names)[field]
    except iam.exceptions.NoSuchEntityException:
        return None
