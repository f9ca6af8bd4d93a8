"""Where a day begins."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from airflow_video_creation.hooks.spending.time_zone import zone
from airflow_video_creation.provider.errors import ConfigurationError

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("default", "given", "hours"),
    [
        ("utc", None, 0),
        ("Asia/Tokyo", None, 9),
        ("Asia/Tokyo", "Europe/Paris", 1),
        ("Asia/Tokyo", "utc", 0),
    ],
)
def test_it_is_named_or_airflows_default(
    monkeypatch: pytest.MonkeyPatch, default: str, given: str | None, hours: int
) -> None:
    monkeypatch.setenv("AIRFLOW__CORE__DEFAULT_TIMEZONE", default)
    assert NOON.astimezone(zone(given)).utcoffset() == timedelta(hours=hours)


def test_the_systems_is_taken_where_airflow_takes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRFLOW__CORE__DEFAULT_TIMEZONE", "system")
    assert NOON.astimezone(zone(None)).utcoffset() == NOON.astimezone().utcoffset()


@pytest.mark.parametrize("given", ["Mars/Olympus", "", "../etc", "/etc"])
def test_one_that_is_not_known_is_named(given: str) -> None:
    with pytest.raises(ConfigurationError, match="budget_timezone="):
        zone(given)
