"""What the receiver remembers of failures that are reported without a state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from airflow_video_creation.hooks.connection import aread_profile
from airflow_video_creation.plugin.service_jobs import ServiceJobs
from airflow_video_creation.provider.errors import ReportedFailureError

CONN_ID = "video_creation_default"
REPORTED = {"success": False, "error": {"error_code": "E7", "error_message": "No such font"}}


async def test_other_jobs_reports_do_not_push_out_the_one_that_is_asked_for(
    connect: Callable[..., None], service: Any, now: Any
) -> None:
    """Two jobs are remembered, and both are full: a third read still counts."""
    connect(service.url)
    service.will(service.reply(200, REPORTED))
    jobs = ServiceJobs(now, max_reported=2)
    profile = await aread_profile(CONN_ID)
    try:
        for _ in range(2):
            for job_id in ("j-1", "j-2"):
                with pytest.raises(ReportedFailureError):
                    await jobs.read_ended(CONN_ID, profile, job_id)
            now.seconds += 15
        assert (await jobs.read_ended(CONN_ID, profile, "j-1")).state == "failed"
    finally:
        await jobs.close()


async def test_no_more_jobs_are_remembered_than_the_limit(
    connect: Callable[..., None], service: Any, now: Any
) -> None:
    connect(service.url)
    service.will(service.reply(200, REPORTED))
    jobs = ServiceJobs(now, max_reported=2)
    profile = await aread_profile(CONN_ID)
    try:
        for number in range(5):
            with pytest.raises(ReportedFailureError):
                await jobs.read_ended(CONN_ID, profile, f"j-{number}")
        now.seconds += 60
        for number in (0, 0):
            with pytest.raises(ReportedFailureError):
                await jobs.read_ended(CONN_ID, profile, f"j-{number}")
    finally:
        await jobs.close()
