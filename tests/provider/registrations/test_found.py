"""The one of a name in the service's list: what is the same, what differs, and what to do about it."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.errors import ConfigurationError
from airflow_video_creation.provider.registrations.found import found_by_name
from airflow_video_creation.provider.registrations.kind import (
    AWS_CONNECTION as CONNECTIONS,
)
from airflow_video_creation.provider.registrations.kind import (
    VOICEOVER_TRACK as TRACKS,
)

from ...sample_requests import AWS_CONNECTION, VOICEOVER_TRACK

LISTED = {**AWS_CONNECTION, "connectionId": "c-9", "version": 3}


def test_nothing_of_that_name() -> None:
    assert found_by_name(CONNECTIONS, [], AWS_CONNECTION) is None
    assert found_by_name(CONNECTIONS, [{**LISTED, "name": "Media"}, {"id": 4}], AWS_CONNECTION) is None


def test_the_one_of_that_name_is_returned_as_the_service_has_it() -> None:
    others = [{**LISTED, "name": "other", "connectionId": "c-1"}]

    assert found_by_name(CONNECTIONS, [*others, LISTED], AWS_CONNECTION) == LISTED


@pytest.mark.parametrize(
    "listed",
    [
        {"name": "media", "id": 7},
        {"name": "media", "connection_id": 7, "aws_account_id": "000123456789", "region": "us-east-2"},
        {"name": " media ", "id": 7, "awsAccountId": 123456789, "enabled": "TRUE"},
        {"name": "media", "id": 7, "enabled": 1},
    ],
)
def test_a_list_may_name_its_fields_in_another_way_and_tell_less(listed: dict[str, Any]) -> None:
    found = found_by_name(CONNECTIONS, [listed], AWS_CONNECTION)

    assert found is not None
    assert (found["connectionId"], found["name"]) == (7, "media")


@pytest.mark.parametrize(
    ("listed", "told"),
    [
        ({"awsRegion": "eu-west-1"}, "awsRegion is 'eu-west-1' there, 'us-east-2' here"),
        ({"awsAccountId": "999999999999"}, "awsAccountId is '999999999999' there, '000123456789' here"),
    ],
)
def test_another_account_or_region_is_another_connection(listed: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigurationError) as stopped:
        found_by_name(CONNECTIONS, [{**LISTED, **listed}], AWS_CONNECTION)

    message = str(stopped.value)
    assert "AWS connection 'media' is registered as c-9" in message
    assert told in message
    assert "write that into connection=" in message
    assert "choose another name" in message
    assert "VideoCreationHook().delete_aws_connection('c-9')" in message
    assert "set_aws_connection_enabled" not in message


def test_one_that_is_disabled_is_not_taken_and_the_way_to_enable_it_is_told() -> None:
    with pytest.raises(ConfigurationError) as stopped:
        found_by_name(CONNECTIONS, [{**LISTED, "enabled": False}], AWS_CONNECTION)

    message = str(stopped.value)
    assert "enabled is False there, True here" in message
    assert "VideoCreationHook().set_aws_connection_enabled('c-9', True)" in message
    assert "delete" not in message


def test_several_of_that_name_are_named() -> None:
    with pytest.raises(ConfigurationError, match=r"has 2 AWS connections named 'media': c-9, c-10"):
        found_by_name(CONNECTIONS, [LISTED, {**LISTED, "connectionId": "c-10"}], AWS_CONNECTION)


def test_the_same_one_twice_in_a_list_is_one() -> None:
    assert found_by_name(CONNECTIONS, [LISTED, LISTED], AWS_CONNECTION) == LISTED


def test_one_without_an_id_is_of_no_use() -> None:
    with pytest.raises(
        ConfigurationError, match=r"without an id .looked for: connectionId, awsConnectionId, id"
    ):
        found_by_name(CONNECTIONS, [AWS_CONNECTION], AWS_CONNECTION)


def test_a_voice_as_the_interface_answers_it_is_found() -> None:
    listed = {"id": 5, "name": "Joan", "language": "en-US", "service": "aws", "engine": "neural"}

    assert found_by_name(TRACKS, [listed], VOICEOVER_TRACK) == listed


@pytest.mark.parametrize(
    ("field", "value"), [("service", "google"), ("voiceId", "Amy"), ("language", "en-GB")]
)
def test_another_voice_under_the_name_is_not_taken(field: str, value: str) -> None:
    with pytest.raises(ConfigurationError) as stopped:
        found_by_name(TRACKS, [{**VOICEOVER_TRACK, "id": 5, field: value}], VOICEOVER_TRACK)

    message = str(stopped.value)
    assert f"{field} is {value!r} there" in message
    assert "VideoCreationHook().delete_voiceover_track('5')" in message
