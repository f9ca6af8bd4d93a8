"""No secret and no signed link has been logged or stored, whatever was killed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from airflow_video_creation.emulator.credentials import CLIENT_SECRET, TOKEN

FETCHED_TOKEN = r"\d+-\d{10}\.\d{3}-[0-9a-f]{32}"
SECRET = re.compile(f"{re.escape(TOKEN)}|{re.escape(CLIENT_SECRET)}|{FETCHED_TOKEN}")
SIGNED_LINK = re.compile(r"signature=[0-9a-f]{32}")
TO_XCOM = re.compile(r"(INSERT INTO|UPDATE) xcom\b")


def found(pattern: re.Pattern[str], text: str) -> list[str]:
    """Where a pattern is in a text, with the text around it."""
    return [text[max(match.start() - 200, 0) : match.end() + 50] for match in pattern.finditer(text)]


def logged(night: Any) -> Iterator[str]:
    for file in night.cluster.log_files():
        yield file.read_text(errors="replace")


def recorded(night: Any) -> list[str]:
    """The records in the record folder."""
    return [file.read_text() for file in night.records.rglob("*.json")] if night.records else []


@pytest.mark.few
def test_logs_hold_no_secret_and_no_signed_link(night: Any) -> None:
    texts = list(logged(night))
    assert any("Waiting for job" in text for text in texts)
    if night.records:
        assert recorded(night)
    texts += recorded(night)
    assert not [hit for text in texts for hit in found(SECRET, text) + found(SIGNED_LINK, text)]


@pytest.mark.few
def test_the_database_was_never_given_a_secret(night: Any) -> None:
    """Trigger rows, rendered fields, records, XCom, audit log: all that was ever written, even if it is gone now."""
    statements = list(night.cluster.database.written())
    kept_by_airflow = () if night.records else ("task_state_store",)
    for table in ("trigger", "rendered_task_instance_fields", "xcom", *kept_by_airflow):
        assert any(f"INSERT INTO {table} " in statement for statement in statements), table
    assert not [hit for statement in statements for hit in found(SECRET, statement)]


@pytest.mark.few
def test_signed_links_are_in_xcom_only(night: Any) -> None:
    statements = list(night.cluster.database.written())
    links = {statement for statement in statements if found(SIGNED_LINK, statement)}
    assert not [found(SIGNED_LINK, statement) for statement in links if not TO_XCOM.search(statement)]
