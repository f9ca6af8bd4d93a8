"""The committed OpenAPI document is current, and the emulator keeps to it whatever it is sent."""

import itertools
import json
from typing import Any

import hypothesis
import pytest
import requests
import schemathesis
from schemathesis.config import SchemathesisConfig

from airflow_video_creation.emulator import CLIENT_ID, CLIENT_SECRET, TOKEN, USER_ID, Emulator
from airflow_video_creation.emulator.contract_document import COMMITTED, contract_document

CONNECTION = {"name": "media", "awsAccountId": "123456789012", "awsRegion": "us-east-2", "enabled": True}

HEADERS = {"Authorization": TOKEN, "X-Service-User-Id": USER_ID}

numbers = itertools.count()
# A parameter of a query that nobody asked for is no mistake.
settings = {"seed": 20261121, "generation": {"allow-extra-parameters": False}}
contract = schemathesis.openapi.from_dict(contract_document(), config=SchemathesisConfig.from_dict(settings))


def test_the_committed_document_is_current() -> None:
    assert json.loads(COMMITTED.read_text("utf-8")) == contract_document(), (
        "run `python -m airflow_video_creation.emulator.contract_document`"
    )


def test_the_emulator_serves_it(emulator: Emulator) -> None:
    served = requests.get(f"{emulator.base_url}/openapi.json", timeout=10).json()
    assert served == contract_document()
    assert served["openapi"].startswith("3.1")


def test_a_track_is_a_union_discriminated_by_service() -> None:
    operation = contract_document()["paths"]["/serviceapis/v1/voiceovers/tracks"]["post"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    assert schema["discriminator"]["propertyName"] == "service"
    assert set(schema["discriminator"]["mapping"]) == {"aws", "google", "elevenlabs"}


@pytest.mark.parametrize("path", ["/serviceapis/v1/awsconnections", "/serviceapis/v1/voiceovers/tracks"])
def test_the_errors_of_a_registration_are_those_that_the_interface_names(path: str) -> None:
    assert set(contract_document()["paths"][path]["post"]["responses"]) == {"200", "400", "401", "500"}


@pytest.fixture
def connection_id(emulator: Emulator) -> str:
    body = requests.post(
        f"{emulator.base_url}/serviceapis/v1/awsconnections", json=CONNECTION, headers=HEADERS, timeout=10
    ).json()
    return str(body["connectionId"])


def with_what_only_this_service_knows(body: Any, connection_id: str) -> None:
    """Put in what no schema can say: a registered connection, a new name, the right secret, no webhook."""
    if not isinstance(body, dict):
        return
    storyboard = body.get("storyboard", body)
    scenes = storyboard.get("scenes") if isinstance(storyboard, dict) else None
    for part in (storyboard, *(scenes if isinstance(scenes, list) else ())):
        if isinstance(part, dict) and _is_name(part.get("awsConnectionId")):
            part["awsConnectionId"] = connection_id
    if _is_name(body.get("name")):
        body["name"] = f"name {next(numbers)}"
    if isinstance(body.get("client_id"), str) and isinstance(body.get("client_secret"), str):
        body.update(client_id=CLIENT_ID, client_secret=CLIENT_SECRET)
    if str(body.get("webhook")).startswith("http"):
        # Nothing is delivered to addresses that chance has made up.
        del body["webhook"]


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and 1 <= len(value) <= 255


@contract.parametrize()
@hypothesis.settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=20,
    suppress_health_check=list(hypothesis.HealthCheck),
)
def test_every_reply_keeps_to_the_contract(case: Any, emulator: Emulator, connection_id: str) -> None:
    with_what_only_this_service_knows(case.body, connection_id)
    # A cursor is one that the list gave.
    case.query.pop("cursor", None)
    case.call_and_validate(base_url=emulator.base_url, headers=HEADERS)
