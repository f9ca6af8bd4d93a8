"""What the receiver remembers of failures that are reported without a state."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from airflow_video_creation.hooks.connection import aread_profile
from airflow_video_creation.plugin.service_jobs import ServiceJobs
from airflow_video_creation.provider.errors import ReportedFailureError
from airflow_video_creation.provider.models.job import Job

CONN_ID = "video_creation_default"
REPORTED = {"success": False, "error": {"error_code": "E7", "error_message": "No such font"}}
ReadEnded = Callable[[str], Awaitable[Job]]


@pytest.fixture
async def read_ended(connect: Callable[..., None], service: Any, now: Any) -> AsyncIterator[ReadEnded]:
    """Reads a job of a service that reports failures only; two jobs are remembered."""
    connect(service.url)
    service.will(service.reply(200, REPORTED))
    jobs = ServiceJobs(now, max_reported=2)
    profile = await aread_profile(CONN_ID)

    yield lambda job_id: jobs.read_ended(CONN_ID, profile, job_id)

    await jobs.close()


async def test_other_jobs_reports_do_not_push_out_the_one_that_is_asked_for(
    read_ended: ReadEnded, now: Any
) -> None:
    """Two jobs are remembered, and both are full: a third read still counts."""
    for _ in range(2):
        for job_id in ("j-1", "j-2"):
            with pytest.raises(ReportedFailureError):
                await read_ended(job_id)
        now.seconds += 15

    assert (await read_ended("j-1")).state == "failed"


async def test_no_more_jobs_are_remembered_than_the_limit(read_ended: ReadEnded, now: Any) -> None:
    for number in range(5):
        with pytest.raises(ReportedFailureError):
            await read_ended(f"j-{number}")
    now.seconds += 60

    for number in (0, 0):
        with pytest.raises(ReportedFailureError):
            await read_ended(f"j-{number}")
