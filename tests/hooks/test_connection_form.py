"""The connection's form, as the installed Airflow's UI gets it; 3.1 asks the hook, newer ones the provider info."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.provider.info import CONNECTION_FIELDS

# They ask Airflow once, on however many processes the tests run.
pytestmark = pytest.mark.xdist_group("connection_form")
# A process of its own, since it fills Airflow's registries. A warning about our hook is an error there.
ASK_AIRFLOW = """
import json, warnings
warnings.filterwarnings("error", message=".*airflow_video_creation")
from airflow.api_fastapi.core_api.services.ui.connections import HookMetaService
from airflow.providers_manager import ProvidersManager
(form,) = [known for known in HookMetaService.hook_meta_data() if known.connection_type == "video_creation"]
assert ProvidersManager().hooks["video_creation"] is not None
print(json.dumps(form.model_dump()))
"""


@pytest.fixture(scope="module")
def form() -> Any:
    asked = subprocess.run([sys.executable, "-c", ASK_AIRFLOW], capture_output=True, text=True, timeout=120)
    assert asked.returncode == 0, asked.stderr
    return json.loads(asked.stdout.splitlines()[-1])


def test_it_has_the_fields_that_everybody_needs(form: Any) -> None:
    shown = {
        name: field for name, field in form["standard_fields"].items() if field is None or not field["hidden"]
    }

    assert shown.keys() == {"description", "host", "login", "password", "port"}
    assert {name: shown[name]["title"] for name in ("host", "login", "password", "port")} == {
        "host": "Base URL",
        "login": "Client id",
        "password": "Access token or client secret",
        "port": "Port",
    }
    assert next(iter(form["extra_fields"])) == "user_id"


def test_it_has_our_own_fields_with_their_labels_and_what_to_do(form: Any) -> None:
    drawn = {
        name: (field["schema"]["title"], field["description"]) for name, field in form["extra_fields"].items()
    }

    assert drawn == {
        name: (field["label"], field["description"]) for name, field in CONNECTION_FIELDS.items()
    }


def test_it_hides_what_is_typed_as_a_secret_and_offers_what_can_be_chosen(form: Any) -> None:
    fields = form["extra_fields"]

    assert [name for name in fields if fields[name]["schema"].get("format") == "password"] == [
        "webhook_secret"
    ]
    assert fields["token_request"]["schema"]["enum"] == ["json", "form"]


def test_no_field_of_ours_must_be_filled_in(form: Any) -> None:
    assert all("null" in field["schema"]["type"] for field in form["extra_fields"].values())


def test_nothing_of_a_form_is_loaded_before_it_is_drawn() -> None:
    assert "get_connection_form_widgets" in vars(VideoCreationHook)  # where Airflow 3.1 looks for it
    load = "import sys, airflow_video_creation.hooks.video_creation; print('wtforms' in sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", load], capture_output=True, text=True, timeout=120)
    assert loaded.stdout.splitlines()[-1] == "False", loaded.stderr
