"""docs/reference/connection.md names every key of the extra with its default, and every field of the form."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation.provider.connection.paths import DEFAULT_PATHS, FURTHER_PATHS
from airflow_video_creation.provider.connection.profile import REPLY_FIELDS, ServiceProfile
from airflow_video_creation.provider.errors import ConfigurationError
from airflow_video_creation.provider.info import CONNECTION_FIELDS

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "connection.md").read_text("utf-8")
KEYS = PAGE.split("## The keys of Extra\n")[1].split("## Fetched tokens\n")[0]
DEFAULTS = {
    key: default.strip("` ")
    for row in re.findall(r"^\| (`.*)$", KEYS, re.MULTILINE)
    for keys, default in [row.split("|")[:2]]
    for key in re.findall(r"`([\w.]+)`", keys)
}
"""Each key on the page, and its default there."""

NO_KEYS = {"base_url", "secret", "client_id", "conn_id", "warnings"}
"""Fields of the profile that are not of the extra."""
CODE = {field.name for field in fields(ServiceProfile)} - NO_KEYS | {"allow_http"}
PATHS = {f"paths.{name}" for name in (*DEFAULT_PATHS, *FURTHER_PATHS)}


def profile(host: str = "https://video.example.com", **extra: Any) -> ServiceProfile | str:
    """What a connection with this extra means, or why it cannot be used."""
    try:
        return ServiceProfile.from_connection("c", host=host, password="a-token", extra=extra)
    except ConfigurationError as error:
        return str(error)


def in_extra(key: str, value: str) -> dict[str, Any]:
    group, _, name = key.rpartition(".")
    return {group: {name: value}} if group else {key: value}


def test_the_tables_name_every_key_and_no_other() -> None:
    assert DEFAULTS.keys() == CODE - {"paths"} | PATHS


@pytest.mark.parametrize("host", ["https://video.example.com", "http://video.example.com"])
def test_a_key_set_to_its_default_changes_nothing(host: str) -> None:
    given = {key: in_extra(key, default) for key, default in DEFAULTS.items() if default != "none"}
    assert [key for key, extra in given.items() if profile(host, **extra) != profile(host)] == []


def test_a_key_without_a_default_means_nothing_when_it_is_absent() -> None:
    absent = profile()
    meanings = {
        key: getattr(absent, key, None) or absent.paths.get(key.removeprefix("paths.")) for key in DEFAULTS
    }
    assert [key for key, default in DEFAULTS.items() if default == "none" and meanings[key]] == []


def test_the_names_of_reply_fields_are_on_the_page() -> None:
    row = re.search(r"^\| `reply_fields` .*$", PAGE, re.MULTILINE)
    assert row
    assert [name for name in REPLY_FIELDS if f"`{name}`" not in row[0]] == []


def test_every_field_of_the_form_is_under_its_heading() -> None:
    rows = dict(re.findall(r"^\| ([^|]+) \| (.*) \|$", PAGE, re.MULTILINE))
    missing = [
        key
        for key, field in CONNECTION_FIELDS.items()
        if f"{field['label']} (`{key}`)" not in rows.get(field["schema"]["section"], "")
    ]
    assert missing == []
