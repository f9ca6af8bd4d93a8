"""The operator that creates the customer-side role, in a cloud that moto plays."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowException, AirflowFailException

from airflow_video_creation.operators.private_media import CreatePrivateMediaRoleOperator
from airflow_video_creation.provider.errors import (
    ConfigurationError,
    InvalidRequestError,
    PrivateMediaRoleError,
)
from airflow_video_creation.provider.private_media.role import POLICY_NAME, permissions_policy, trust_policy

SERVICE, PREFIX, ROLE = "000123456789", "Acme", "AcmeCloudIntegrationRole"
OUR_ACCOUNT = "123456789012"


def create(**arguments: Any) -> dict[str, Any]:
    given = {"service_account_id": SERVICE, "role_prefix": PREFIX, "bucket": "our-media", **arguments}
    return CreatePrivateMediaRoleOperator(task_id="t", **given).execute({})


def test_wrong_arguments_are_told_while_the_dag_is_parsed() -> None:
    with pytest.raises(InvalidRequestError, match="2 problems") as told:
        CreatePrivateMediaRoleOperator(task_id="t", service_account_id="1", role_prefix="A", bucket="s3://b")
    assert isinstance(told.value, AirflowFailException)


def test_arguments_are_templates() -> None:
    operator = CreatePrivateMediaRoleOperator(
        task_id="t", service_account_id="{{ a }}", role_prefix="{{ b }}", bucket=["{{ c }}", "x-bucket"]
    )
    operator.render_template_fields({"a": SERVICE, "b": PREFIX, "c": "our-media"})
    assert operator.service_account_id == SERVICE
    assert operator.bucket == ["our-media", "x-bucket"]


def test_without_the_extra_the_way_to_install_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "airflow.providers.amazon.aws.hooks.base_aws", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'airflow-provider-video-creation\[amazon\]'"):
        create()


def test_a_cloud_that_is_away_is_asked_again_by_a_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("airflow.providers.amazon", reason="not installed: pip install '.[amazon]'")
    extra = {
        "endpoint_url": "http://127.0.0.1:1",
        "region_name": "us-east-1",
        "config_kwargs": {"retries": {"max_attempts": 0}},
    }
    connection = {"conn_type": "aws", "login": "testing", "password": "a-secret", "extra": extra}
    monkeypatch.setenv("AIRFLOW_CONN_AWS_DEFAULT", json.dumps(connection))
    with pytest.raises(PrivateMediaRoleError, match="Try again later") as told:
        create()
    assert isinstance(told.value, AirflowException)
    assert not isinstance(told.value, AirflowFailException)


class TestInTheCloud:
    """With the Amazon provider."""

    @pytest.fixture(autouse=True)
    def iam(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
        pytest.importorskip("airflow.providers.amazon", reason="not installed: pip install '.[amazon]'")
        moto = pytest.importorskip("moto", reason="not installed: pip install 'moto[iam,s3,sts]'")
        import boto3

        monkeypatch.setenv(
            "AIRFLOW_CONN_AWS_DEFAULT",
            '{"conn_type": "aws", "login": "testing", "password": "a-secret-that-nobody-may-see"}',
        )
        monkeypatch.delenv("AWS_PROFILE", raising=False)
        with moto.mock_aws():
            yield boto3.client("iam", aws_access_key_id="testing", aws_secret_access_key="testing")

    def test_a_role_that_is_not_there_is_created(self, iam: Any) -> None:
        result = create()

        assert result == {
            "role_name": ROLE,
            "role_arn": f"arn:aws:iam::{OUR_ACCOUNT}:role/{ROLE}",
            "account_id": OUR_ACCOUNT,
            "changes": [
                f"created the role {ROLE}",
                f"created the inline policy {POLICY_NAME} of the role {ROLE}",
            ],
        }
        assert json.loads(json.dumps(result)) == result
        assert iam.get_role(RoleName=ROLE)["Role"]["AssumeRolePolicyDocument"] == trust_policy(SERVICE)
        stored = iam.get_role_policy(RoleName=ROLE, PolicyName=POLICY_NAME)["PolicyDocument"]
        assert stored == permissions_policy("our-media")

    def test_a_second_run_changes_nothing(self, iam: Any) -> None:
        create()
        assert create()["changes"] == []

    def test_a_role_that_differs_is_brought_to_what_it_must_be(self, iam: Any, log: Any) -> None:
        create(service_account_id="999999999999", bucket="old-bucket")

        assert create()["changes"] == [
            f"replaced the trust policy of the role {ROLE}",
            f"replaced the inline policy {POLICY_NAME} of the role {ROLE}",
        ]
        assert iam.get_role(RoleName=ROLE)["Role"]["AssumeRolePolicyDocument"] == trust_policy(SERVICE)
        stored = iam.get_role_policy(RoleName=ROLE, PolicyName=POLICY_NAME)["PolicyDocument"]
        assert stored == permissions_policy("our-media")
        assert "old-bucket" in log()
        assert "arn:aws:iam::999999999999:root" in log()

    def test_everything_else_of_the_role_is_left_alone(self, iam: Any) -> None:
        iam.create_role(
            RoleName=ROLE, AssumeRolePolicyDocument=json.dumps(trust_policy(SERVICE)), Description="Ours"
        )
        own = json.dumps(permissions_policy("another-bucket"))
        iam.put_role_policy(RoleName=ROLE, PolicyName="own", PolicyDocument=own)
        managed = iam.create_policy(PolicyName="managed", PolicyDocument=own)["Policy"]["Arn"]
        iam.attach_role_policy(RoleName=ROLE, PolicyArn=managed)

        assert create()["changes"] == [f"created the inline policy {POLICY_NAME} of the role {ROLE}"]

        assert sorted(iam.list_role_policies(RoleName=ROLE)["PolicyNames"]) == [POLICY_NAME, "own"]
        assert iam.get_role_policy(RoleName=ROLE, PolicyName="own")["PolicyDocument"] == json.loads(own)
        assert len(iam.list_attached_role_policies(RoleName=ROLE)["AttachedPolicies"]) == 1
        assert iam.get_role(RoleName=ROLE)["Role"]["Description"] == "Ours"

    def test_an_identity_that_may_not_is_told_what_it_needs(self, iam: Any) -> None:
        from moto.core import set_initial_no_auth_action_count

        with pytest.raises(ConfigurationError, match=r"'aws_default'.*iam:PutRolePolicy") as told:
            set_initial_no_auth_action_count(0)(create)()
        assert isinstance(told.value, AirflowFailException)
        assert "a-secret-that-nobody-may-see" not in str(told.value)
