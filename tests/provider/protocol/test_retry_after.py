"""What a busy server asks for is read in every form that HTTP allows, and nonsense is no answer."""

from __future__ import annotations

import pytest

from airflow_video_creation.provider.protocol.retry_after import retry_after_seconds

NOW = 1_700_000_000.0


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 1.5 ", 1.5),
        ("Tue, 14 Nov 2023 22:14:20 GMT", 60.0),
        ("Tue, 14 Nov 2023 22:14:20", 60.0),
        ("Tue, 14 Nov 2023 22:00:00 GMT", 0.0),
    ],
)
def test_seconds_and_dates(value: str, seconds: float) -> None:
    assert retry_after_seconds(value, NOW) == seconds


@pytest.mark.parametrize("value", ["", "soon", "nan", "-3", "Tue, 99 Nov 2023 22:14:20 GMT"])
def test_nonsense_says_nothing(value: str) -> None:
    assert retry_after_seconds(value, NOW) is None


def test_a_date_needs_the_time() -> None:
    assert retry_after_seconds("Tue, 14 Nov 2023 22:14:20 GMT", None) is None
