"""The connection's form and its test button, in Airflow's UI."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect


def open_form(page: Page, site: Any, conn_id: str) -> Any:
    """The form of a new connection of our type."""
    page.goto(f"{site.url}/connections")
    page.get_by_role("button", name="Add Connection").click()
    form = page.get_by_role("dialog")
    form.locator("input[name=connection_id]").fill(conn_id)
    form.get_by_role("combobox").first.click()
    page.keyboard.type("Video Creation")
    page.keyboard.press("Enter")
    expect(form.locator("input[name=host]")).to_be_visible()
    return form


def test_the_form_shows_what_is_needed_hides_secrets_and_saves(page_of: Any, site: Any) -> None:
    page = page_of("admin")
    form = open_form(page, site, "made_in_the_form")
    for label in ("Base URL", "Access token or client secret", "Port", "Client id"):
        expect(form.get_by_text(label, exact=True)).to_be_visible()
    for section in ("User id (required)", "Webhooks (optional)", "Extra Fields JSON"):
        expect(form.get_by_text(section, exact=True)).to_be_visible()
    expect(form.locator("input[name=schema]")).to_have_count(0)
    expect(form.locator("input[name=password]")).to_have_attribute("type", "password")
    form.locator("input[name=host]").fill("https://video.example.com")
    form.locator("input[name=password]").fill("a-token")
    form.get_by_text("Webhooks (optional)", exact=True).click()
    expect(form.locator("input[name=element_webhook_secret]")).to_have_attribute("type", "password")
    form.get_by_text("User id (required)", exact=True).click()
    form.locator("input[name=element_user_id]").fill("user-7")
    form.get_by_role("button", name="Save").click()
    expect(form).to_be_hidden()

    saved = site.api("GET", "/api/v2/connections/made_in_the_form")

    assert (saved["conn_type"], saved["host"]) == ("video_creation", "https://video.example.com")
    assert json.loads(saved["extra"])["user_id"] == "user-7"


def press_test(page: Page, conn_id: str) -> Any:
    """What Airflow answers to the test button beside a connection in the list."""
    row = page.get_by_role("row").filter(has_text=conn_id)
    with page.expect_response(re.compile("connections/test")) as answered:
        row.get_by_role("button", name=re.compile("test", re.IGNORECASE)).click()
    return answered.value.json()


def test_a_connection_that_was_made_in_the_form_can_be_tested(page_of: Any, site: Any) -> None:
    emulator = json.loads(site.emulator.connection_json)
    address = f"{emulator['host']}:{emulator['port']}"
    page = page_of("admin")
    form = open_form(page, site, "form_and_test")
    form.locator("input[name=host]").fill(address)
    form.locator("input[name=password]").fill(emulator["password"])
    form.locator("input[name=port]").fill(str(emulator["port"]))
    form.get_by_text("User id (required)", exact=True).click()
    form.locator("input[name=element_user_id]").fill(emulator["extra"]["user_id"])
    form.get_by_role("button", name="Save").click()
    expect(form).to_be_hidden()

    answer = press_test(page, "form_and_test")

    said = f"{address} accepts the credentials. The test created nothing."
    assert answer == {"status": True, "message": said}
    expect(page.get_by_text(said)).to_be_visible()


def test_a_port_that_another_host_has_left_is_shown_and_said(page_of: Any, site: Any) -> None:
    emulator = json.loads(site.emulator.connection_json)
    left = {**emulator, "port": 8443, "connection_id": "left_port", "extra": json.dumps(emulator["extra"])}
    site.api("POST", "/api/v2/connections", left)
    page = page_of("admin")
    page.goto(f"{site.url}/connections")
    page.get_by_role("row").filter(has_text="left_port").get_by_role(
        "button", name=re.compile("Edit")
    ).click()
    form = page.get_by_role("dialog")
    expect(form.locator("input[name=port]")).to_have_value("8443")
    form.locator("input[name=host]").fill(f"{emulator['host']}:{emulator['port']}")
    form.get_by_role("button", name="Save").click()
    expect(form).to_be_hidden()

    answer = press_test(page, "left_port")

    assert f"host asks for port {emulator['port']}, so port 8443 is not used" in answer["message"]


@pytest.mark.parametrize(
    ("conn_id", "token", "said"),
    [
        ("good_token", "emulator-token", "accepts the credentials"),
        ("bad_token", "another-token", "does not accept the access token"),
    ],
)
def test_the_test_button_says_what_is_wrong(
    page_of: Any, site: Any, conn_id: str, token: str, said: str
) -> None:
    emulator = json.loads(site.emulator.connection_json)
    extra = json.dumps(emulator["extra"])
    site.api(
        "POST",
        "/api/v2/connections",
        {**emulator, "connection_id": conn_id, "password": token, "extra": extra},
    )
    page = page_of("admin")
    page.goto(f"{site.url}/connections")
    answer = press_test(page, conn_id)
    assert said in answer["message"]
    assert answer["status"] is (conn_id == "good_token")
