from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import pytest

from airflow_video_creation.emulator.conduct.rate_limit import RetryAfterForm, TokenBucket, retry_after


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_passes_then_one_call_a_second() -> None:
    clock = Clock()
    bucket = TokenBucket(per_minute=60, burst=3, clock=clock)
    assert [bucket.take() for _ in range(4)] == [0, 0, 0, pytest.approx(1.0)]
    clock.now += 0.5
    assert bucket.take() == pytest.approx(0.5)
    clock.now += 0.5
    assert bucket.take() == 0


def test_a_rest_fills_the_bucket_no_further_than_the_burst() -> None:
    clock = Clock()
    bucket = TokenBucket(per_minute=60, burst=2, clock=clock)
    clock.now += 3600
    assert [bucket.take() > 0 for _ in range(3)] == [False, False, True]


@pytest.mark.parametrize(
    ("form", "header"),
    [("seconds", {"Retry-After": "2"}), ("absent", {}), ("absurd", {"Retry-After": "1000000000"})],
)
def test_forms_of_retry_after(form: RetryAfterForm, header: dict[str, str]) -> None:
    assert retry_after(1.2, form) == header


def test_a_date_is_never_too_early() -> None:
    now = datetime(2026, 11, 21, 10, 0, 0, 900_000, UTC)
    header = retry_after(1.2, "date", now)["Retry-After"]
    assert header.endswith("GMT")
    assert (parsedate_to_datetime(header) - now).total_seconds() >= 1.2
