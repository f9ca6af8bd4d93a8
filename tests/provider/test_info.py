"""What Airflow reads about this provider."""

from __future__ import annotations

import importlib.metadata
import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.info import (
    CONNECTION_FIELDS,
    CONNECTION_TYPE,
    HOOK_CLASS,
    USER_AGENT,
    VERSION,
    get_provider_info,
)

ROOT = Path(__file__).parents[2]
INFO = get_provider_info()
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
PACKAGE = "airflow_video_creation"


def file_of(module: str) -> Path:
    return ROOT.joinpath(*module.removeprefix(f"{PACKAGE}.").split(".")).with_suffix(".py")


def test_it_fits_airflows_schema() -> None:
    schema = json.loads(files("airflow").joinpath("provider_info.schema.json").read_text("utf-8"))
    jsonschema.validate(INFO, schema)


def test_name_and_version_are_those_of_the_distribution() -> None:
    version = PYPROJECT["tool"]["setuptools"]["dynamic"]["version"]["attr"]
    assert (INFO["package-name"], INFO["versions"]) == (PROJECT["name"], [VERSION])
    assert version == f"{PACKAGE}.provider.info.VERSION"
    assert f"{PROJECT['name']}/{VERSION}" == USER_AGENT


def test_airflow_finds_it() -> None:
    points = importlib.metadata.entry_points(group="apache_airflow_provider")
    assert [point.load() for point in points if point.module.startswith(PACKAGE)] == [get_provider_info]


@pytest.mark.parametrize(
    ("kind", "classes"),
    [("hooks", "Hook"), ("operators", "Operator"), ("sensors", "Sensor"), ("triggers", "Trigger")],
)
def test_every_module_that_a_dag_may_use_is_named(kind: str, classes: str) -> None:
    public = re.compile(rf"^class (?!Base)[A-Z]\w*(?<!Async){classes}\(", re.MULTILINE)
    modules = {file.stem for file in (ROOT / kind).glob("*.py") if public.search(file.read_text("utf-8"))}
    named = {module for entry in INFO[kind] for module in entry["python-modules"]}
    assert named == {f"{PACKAGE}.{kind}.{module}" for module in modules}


def test_the_webhooks_secret_is_typed_unseen() -> None:
    assert CONNECTION_FIELDS["webhook_secret"]["schema"]["format"] == "password"


def test_every_integration_is_declared() -> None:
    declared = {integration["integration-name"] for integration in INFO["integrations"]}
    used = {
        entry["integration-name"]
        for kind in ("hooks", "operators", "sensors", "triggers")
        for entry in INFO[kind]
    }
    assert used == declared


def test_the_connection_has_a_hook_and_a_form() -> None:
    (connection,) = INFO["connection-types"]
    assert (connection["connection-type"], connection["hook-class-name"]) == (CONNECTION_TYPE, HOOK_CLASS)
    assert file_of(HOOK_CLASS.rpartition(".")[0]).is_file()
    form = connection["ui-field-behaviour"]
    assert form["relabeling"].keys() == {"host", "login", "password", "port"}
    assert not form["relabeling"].keys() & set(form["hidden-fields"])


def test_what_is_needed_comes_first_and_the_rest_says_when_to_leave_it_empty() -> None:
    sections = list(dict.fromkeys(field["schema"]["section"] for field in CONNECTION_FIELDS.values()))

    assert next(iter(CONNECTION_FIELDS)) == "user_id"
    assert sections[0] == "User id (required)"
    assert all(
        section.endswith(("(optional)", "(leave empty with an access token)")) for section in sections[1:]
    )
    for field in CONNECTION_FIELDS.values():
        assert re.search(r"Leave empty|Only with", field["description"]), field["label"]
        assert len(field["description"]) <= 110, field["label"]


FILLED: dict[str, Any] = {
    "user_id": "ada",
    "auth_url": "https://auth.example.com",
    "token_request": "form",
    "token_prefix": "Bearer",
    "user_id_header": "X-User",
    "idempotency_header": "Idempotency-Key",
    "aws_connection_id": "c-1",
    "callback_base_url": "https://airflow.example.com",
    "webhook_secret": "sixteen letters!",
    "airflow_api_conn_id": "airflow_api",
    "connect_timeout": 5,
    "read_timeout": 15.0,
    "verify": "false",
}


def test_every_field_of_the_form_is_read() -> None:
    assert FILLED.keys() == CONNECTION_FIELDS.keys()
    for name, value in FILLED.items():
        jsonschema.validate(value, CONNECTION_FIELDS[name]["schema"])
    host = "https://video.example.com"
    read = ServiceProfile.from_connection("c", host=host, login="x", password="y", extra=FILLED)
    assert not read.warnings
    assert all(getattr(read, name) == value for name, value in FILLED.items() if name != "verify")
    assert read.verify is False
