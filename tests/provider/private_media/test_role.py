"""The customer-side role for private media, as the interface describes it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from airflow_video_creation.provider.errors import InvalidRequestError
from airflow_video_creation.provider.private_media.role import (
    PrivateMediaRole,
    permissions_policy,
    role_name,
    same_policy,
    trust_policy,
)

SERVICE = "000123456789"
BUCKET = "our-media"
POLICY = permissions_policy(BUCKET)


def test_the_roles_name_is_the_services_prefix_and_a_fixed_word() -> None:
    assert role_name("Acme") == "AcmeCloudIntegrationRole"


def test_three_principals_of_the_service_may_assume_the_role() -> None:
    policy = trust_policy(SERVICE)
    assert policy["Version"] == "2012-10-17"
    assert policy["Statement"] == [
        {
            "Effect": "Allow",
            "Principal": {"AWS": f"arn:aws:iam::000123456789:{principal}"},
            "Action": "sts:AssumeRole",
            "Condition": {},
        }
        for principal in ("role/CloudIntegrationRole", "role/ecsTaskExecutionRole", "root")
    ]


def test_the_role_may_read_the_bucket_and_see_the_names_of_all() -> None:
    assert POLICY["Statement"] == [
        {
            "Effect": "Allow",
            "Action": ["s3:ListBucket", "s3:GetObject"],
            "Resource": ["arn:aws:s3:::our-media", "arn:aws:s3:::our-media/*"],
        },
        {"Effect": "Allow", "Action": "s3:ListAllMyBuckets", "Resource": "arn:aws:s3:::*"},
    ]


def test_several_buckets_stand_in_one_statement() -> None:
    assert permissions_policy(["one-bucket", "two-bucket", "one-bucket"])["Statement"][0]["Resource"] == [
        "arn:aws:s3:::one-bucket",
        "arn:aws:s3:::one-bucket/*",
        "arn:aws:s3:::two-bucket",
        "arn:aws:s3:::two-bucket/*",
    ]


@pytest.mark.parametrize(
    "account", [123456789, "12345678901", "1234-5678-9012", "arn:aws:iam::1:root", "", None]
)
def test_no_account_id(account: Any) -> None:
    with pytest.raises(InvalidRequestError, match="12 digits"):
        trust_policy(account)


@pytest.mark.parametrize(
    ("bucket", "told"),
    [
        ("s3://our-media", "only the bucket's name"),
        ("arn:aws:s3:::our-media", "only the bucket's name"),
        ("our-media/clips", "only the bucket's name"),
        ("Our-Media", "small letters"),
        ("our*", "small letters"),
        ("ab", "3 to 63"),
        ("a" * 64, "3 to 63"),
        ("our..media", "small letters"),
        ("192.168.0.1", "small letters"),
        ([], "3 to 63"),
        (["fine-bucket", None], "small letters"),
        (["fine-bucket", []], "small letters"),
        (None, "small letters"),
        (5, "small letters"),
        (b"our-media", "small letters"),
        ({"our-media": 1}, "small letters"),
    ],
)
def test_no_bucket_name(bucket: Any, told: str) -> None:
    with pytest.raises(InvalidRequestError, match=told):
        permissions_policy(bucket)


@pytest.mark.parametrize(
    ("prefix", "told"),
    [
        ("", "the prefix that the service gave you"),
        ("a b", "the prefix that the service gave you"),
        ("AcmeCloudIntegrationRole", "only the part before"),
        ("p" * 45, "44 characters at most"),
        (None, "the prefix that the service gave you"),
        (True, "the prefix that the service gave you"),
        (7, "the prefix that the service gave you"),
        ("None", "the prefix that the service gave you"),
        (" None ", "the prefix that the service gave you"),
    ],
)
def test_no_role_prefix(prefix: Any, told: str) -> None:
    with pytest.raises(InvalidRequestError, match=told):
        role_name(prefix)


def test_everything_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(InvalidRequestError, match="3 problems"):
        PrivateMediaRole.of("", "12", "s3://our-media")


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ({**POLICY, "Statement": list(reversed(POLICY["Statement"]))}, True),
        (json.loads(json.dumps(POLICY).replace('"s3:ListAllMyBuckets"', '["s3:ListAllMyBuckets"]')), True),
        ({**POLICY, "Statement": [{**s, "Condition": {}} for s in POLICY["Statement"]]}, True),
        ({**POLICY, "Statement": POLICY["Statement"][:1]}, False),
        ({**POLICY, "Statement": POLICY["Statement"][1]}, False),
        (permissions_policy("another-bucket"), False),
        ({**POLICY, "Version": "2008-10-17"}, False),
        ({}, False),
        ("", False),
    ],
)
def test_policies_are_compared_by_what_they_allow(other: Any, same: bool) -> None:
    assert same_policy(POLICY, other) is same


def test_a_condition_that_is_added_makes_another_trust_policy() -> None:
    policy = trust_policy(SERVICE)
    stricter = json.loads(json.dumps(policy).replace("{}", '{"StringEquals": {"sts:ExternalId": "x"}}', 1))
    assert not same_policy(policy, stricter)
