"""The policies for private media where they are enforced, as far as moto does it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from airflow_video_creation.provider.private_media.role import PrivateMediaRole, trust_policy

boto3 = pytest.importorskip("boto3", reason="boto3 is not installed: pip install '.[amazon]'")
moto = pytest.importorskip("moto", reason="moto is not installed: pip install 'moto[iam,s3,sts]'")

SERVICE = "000123456789"
BUCKET, OTHER_BUCKET = "our-media", "others-media"
FILM = {"Bucket": BUCKET, "Key": "intro.mp4"}


@pytest.fixture(scope="module")
def cloud() -> Iterator[None]:
    """A cloud account with two buckets."""
    with pytest.MonkeyPatch.context() as environment, moto.mock_aws():
        environment.setenv("AWS_DEFAULT_REGION", "us-east-1")
        s3 = boto3.client("s3")
        for bucket in (BUCKET, OTHER_BUCKET):
            s3.create_bucket(Bucket=bucket)
            s3.put_object(Bucket=bucket, Key="intro.mp4", Body=b"a film")
        yield


@pytest.fixture(scope="module")
def service(cloud: None) -> Any:
    """What the service has of the cloud's storage, once it has assumed the role."""
    role = PrivateMediaRole.of("Acme", SERVICE, BUCKET)
    iam = boto3.client("iam")
    made = iam.create_role(RoleName=role.name, AssumeRolePolicyDocument=json.dumps(role.trust_policy))
    permissions = json.dumps(role.permissions_policy)
    iam.put_role_policy(RoleName=role.name, PolicyName="p", PolicyDocument=permissions)
    given = boto3.client("sts").assume_role(RoleArn=made["Role"]["Arn"], RoleSessionName="service")[
        "Credentials"
    ]
    return boto3.client(
        "s3",
        aws_access_key_id=given["AccessKeyId"],
        aws_secret_access_key=given["SecretAccessKey"],
        aws_session_token=given["SessionToken"],
    )


def enforced(call: Callable[[], Any]) -> Any:
    """What a call comes to when the cloud enforces its policies."""
    return moto.core.set_initial_no_auth_action_count(0)(call)()


def test_the_service_reads_the_bucket(service: Any) -> None:
    assert enforced(lambda: service.get_object(**FILM))["Body"].read() == b"a film"
    assert enforced(lambda: service.list_objects_v2(Bucket=BUCKET))["KeyCount"] == 1
    assert len(enforced(service.list_buckets)["Buckets"]) == 2


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        ("put_object", {**FILM, "Body": b"another film"}),
        ("delete_object", FILM),
        ("put_object_acl", {**FILM, "ACL": "public-read"}),
        ("delete_bucket", {"Bucket": BUCKET}),
        ("put_bucket_policy", {"Bucket": BUCKET, "Policy": "{}"}),
        ("create_bucket", {"Bucket": "a-third-bucket"}),
        ("get_object", {**FILM, "Bucket": OTHER_BUCKET}),
        ("list_objects_v2", {"Bucket": OTHER_BUCKET}),
    ],
)
def test_the_service_may_do_nothing_else(service: Any, operation: str, arguments: Any) -> None:
    with pytest.raises(service.exceptions.ClientError, match=r"AccessDenied|Forbidden"):
        enforced(lambda: getattr(service, operation)(**arguments))


def test_the_cloud_takes_the_trust_policy(cloud: None) -> None:
    iam = boto3.client("iam")
    other = trust_policy("999999999999")
    iam.create_role(RoleName="r", AssumeRolePolicyDocument=json.dumps(other))

    iam.update_assume_role_policy(RoleName="r", PolicyDocument=json.dumps(trust_policy(SERVICE)))

    stored = iam.get_role(RoleName="r")["Role"]["AssumeRolePolicyDocument"]
    assert [statement["Principal"]["AWS"] for statement in stored["Statement"]] == [
        "arn:aws:iam::000123456789:role/CloudIntegrationRole",
        "arn:aws:iam::000123456789:role/ecsTaskExecutionRole",
        "arn:aws:iam::000123456789:root",
    ]
