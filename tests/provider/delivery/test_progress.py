"""A log tells how far a download is, and stays short."""

from __future__ import annotations

import pytest

from airflow_video_creation.provider.delivery.progress import Progress, size_text


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1_000, "1 kB"),
        (41_700, "42 kB"),
        (999_499, "999 kB"),
        (999_500, "1.0 MB"),
        (3_440_000, "3.4 MB"),
        (999_949_999, "999.9 MB"),
        (999_950_000, "1.00 GB"),
        (12_300_000_000, "12.30 GB"),
    ],
)
def test_a_size(size: int, text: str) -> None:
    assert size_text(size) == text


def told(seconds: int, total: int | None, rate: int) -> list[tuple[int, str]]:
    """What is said of a download of so many seconds at so many bytes a second."""
    progress = Progress(0)
    return [(now, line) for now in range(seconds + 1) if (line := progress.line(now * rate, total, now))]


def test_a_small_file_is_not_told_of() -> None:
    assert told(9, 900_000, 100_000) == []


def test_a_large_file_is_told_of_by_tenths() -> None:
    lines = told(300, 300_000_000, 1_000_000)
    assert [now for now, _ in lines] == list(range(30, 301, 30))
    assert lines[0][1] == "30.0 MB of 300.0 MB (10 %) have arrived"


def test_a_fast_one_is_told_of_every_ten_seconds() -> None:
    assert [now for now, _ in told(40, 40_000_000, 1_000_000)] == [10, 20, 30, 40]


def test_a_slow_one_is_told_of_every_minute() -> None:
    assert [now for now, _ in told(180, 10**9, 10_000)] == [60, 120, 180]


def test_one_of_unknown_length_is_told_of_too() -> None:
    assert told(60, None, 1_000_000) == [(60, "60.0 MB have arrived")]
