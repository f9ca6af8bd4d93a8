"""What a finished storyboard gave is rendered, unchanged."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.errors import InvalidRequestError
from airflow_video_creation.provider.models.render import render_body

SETTINGS = {"output": {"width": 1280}, "elements": [None, "é", 1.5]}


def test_the_settings_are_the_body() -> None:
    assert render_body(SETTINGS) == SETTINGS
    assert render_body('{"output": {"width": 1280}}') == {"output": {"width": 1280}}


def test_a_webhook_stands_beside_them() -> None:
    body = render_body(SETTINGS, "https://airflow.example.com/hook")
    assert body == {**SETTINGS, "webhook": "https://airflow.example.com/hook"}
    assert "webhook" not in SETTINGS


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (None, "must be the object that a finished storyboard job gave as render_settings, not nothing"),
        ({}, "not nothing"),
        ("", "not nothing"),
        ([1], "not list"),
        ("[1]", "must be an object with fields, but is a list"),
        ({"volume": float("inf")}, "render_settings: contains inf at volume, which JSON cannot represent"),
    ],
)
def test_anything_else_is_refused(settings: Any, message: str) -> None:
    with pytest.raises(InvalidRequestError, match="The render request has 1 problem") as caught:
        render_body(settings)
    assert message in str(caught.value)


def test_all_problems_are_told_at_once_and_without_the_webhooks_key() -> None:
    with pytest.raises(InvalidRequestError, match="2 problems") as caught:
        render_body(None, "airflow.example.com/hook?key=5ec7e7")
    assert "5ec7e7" not in str(caught.value)
