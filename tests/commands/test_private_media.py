"""``private-media``: documents that the cloud's own tools take."""

import json
import sys

import pytest

from airflow_video_creation.__main__ import main
from airflow_video_creation.provider.private_media.role import permissions_policy, trust_policy


@pytest.fixture
def command(monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["airflow_video_creation", "private-media", *arguments])
        status = main()
        return status, capsys.readouterr()

    return run


@pytest.mark.parametrize(
    ("arguments", "document"),
    [
        (["trust-policy", "000123456789"], trust_policy("000123456789")),
        (["permissions-policy", "our-media"], permissions_policy("our-media")),
        (
            ["permissions-policy", "one-bucket", "two-bucket"],
            permissions_policy(["one-bucket", "two-bucket"]),
        ),
    ],
)
def test_a_policy_is_printed_as_json_and_nothing_else(command, arguments, document):
    status, output = command(*arguments)
    assert status == 0
    assert json.loads(output.out) == document
    assert output.err == ""


def test_the_name_is_printed_alone(command):
    status, output = command("role-name", "Acme")
    assert (status, output.out) == (0, "AcmeCloudIntegrationRole\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["trust-policy", "123"], "service_account_id: must be the service's account id, 12 digits"),
        (["permissions-policy", "fine-bucket", "s3://x"], "bucket: must be only the bucket's name"),
        (["role-name", "None"], "role_prefix: must be the prefix"),
        (["role-name", "a b"], "role_prefix: must be the prefix"),
    ],
)
def test_a_wrong_argument_prints_nothing_that_a_tool_could_take(command, arguments, told):
    status, output = command(*arguments)
    assert status == 2
    assert output.out == ""
    assert told in output.err
