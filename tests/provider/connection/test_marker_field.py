"""A mark stands in a text of the request that the service shows, and never in what means something to it."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import ConfigurationError
from airflow_video_creation.provider.models import Storyboard


def marker_field(value: Any) -> str | None:
    return ServiceProfile.from_connection(
        "my_conn", host="https://video.example.com", password="t0ken", extra={"marker_field": value}
    ).marker_field


@pytest.mark.parametrize("field", ["videoDescription", "reference", "client_ref", "x-note"])
def test_a_text_field_takes_a_mark(field: str) -> None:
    assert marker_field(f" {field} ") == field


@pytest.mark.parametrize(
    "field", ["scenes", "webhook", "aiVoiceOver", "videoName", "language", "Webhook", "video_width"]
)
def test_a_field_that_means_something_to_the_service_takes_none(field: str) -> None:
    with pytest.raises(
        ConfigurationError, match=f"marker_field must be .*such as videoDescription, not '{field}'"
    ):
        marker_field(field)


@pytest.mark.parametrize("field", ["metadata.ref", "one\ntwo", "a\tb", ["videoDescription"]])
def test_what_is_no_name_of_a_field_takes_none(field: Any) -> None:
    with pytest.raises(ConfigurationError, match="extra marker_field must be"):
        marker_field(field)


def test_of_the_interfaces_fields_the_description_alone_takes_one() -> None:
    known = [field.alias or name for name, field in Storyboard.model_fields.items()]
    for name in set(known) - {"videoDescription"}:
        with pytest.raises(ConfigurationError):
            marker_field(name)
