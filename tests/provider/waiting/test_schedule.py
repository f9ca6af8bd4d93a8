"""When a job is asked for again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.errors import ConfigurationError
from airflow_video_creation.provider.waiting.schedule import PollSchedule


@given(st.floats(0, 1e6))
def test_a_job_is_noticed_soon_and_long_ones_cost_few_requests(waited: float) -> None:
    interval = PollSchedule().seconds_to_next(waited)
    assert 2 <= interval <= 30
    assert interval <= max(2, waited / 10)


def test_an_hour_costs_few_polls() -> None:
    waited, polls = 0.0, 0
    while waited < 3600:
        waited += PollSchedule().seconds_to_next(waited)
        polls += 1
    assert polls < 160


@given(st.floats(0.001, 1e6), st.floats(0, 1e6))
def test_a_fixed_interval_is_kept(interval: float, waited: float) -> None:
    assert PollSchedule(interval).seconds_to_next(waited) == interval


@pytest.mark.parametrize("interval", [0, -1, float("nan")])
def test_an_interval_that_would_flood_the_service_is_refused(interval: float) -> None:
    with pytest.raises(ConfigurationError, match="poll_interval must be above 0 seconds, not"):
        PollSchedule(interval)
