"""How often and how long the pages of a task ask the service for a job."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from airflow_video_creation.plugin.pages.recent_jobs import RecentJobs
from airflow_video_creation.provider.models.job import Job

JOB = ("video_creation_default", None, "j-1")


class Service:
    """Counts the reads; each lasts until it is let go on."""

    def __init__(self) -> None:
        self.reads: list[tuple[str, str | None, str]] = []
        self.goes_on = asyncio.Event()

    async def read(self, *job: Any) -> Job:
        self.reads.append(job)
        await self.goes_on.wait()
        return Job(job_id="j-1", state="in-progress")


async def test_many_who_look_at_a_job_cost_one_read_in_five_seconds(now: Any) -> None:
    service = Service()
    recent = RecentJobs(now, service.read)
    service.goes_on.set()

    await asyncio.gather(*(recent.job(*JOB) for _ in range(10)))
    now.seconds += 4.9
    await recent.job(*JOB)
    assert service.reads == [JOB]

    now.seconds += 0.2
    await recent.job(*JOB)
    assert service.reads == [JOB, JOB]


async def test_what_one_user_may_see_is_not_shown_as_another_s(now: Any) -> None:
    service = Service()
    recent = RecentJobs(now, service.read)
    service.goes_on.set()

    for user_id in (None, "user-7"):
        await recent.job("video_creation_default", user_id, "j-1")

    assert [user_id for _, user_id, _ in service.reads] == [None, "user-7"]


async def test_a_service_that_does_not_answer_is_waited_for_so_long_and_no_longer(now: Any) -> None:
    recent = RecentJobs(now, Service().read, read_seconds=0.01)

    async with asyncio.timeout(20):
        with pytest.raises(TimeoutError):
            await recent.job(*JOB)
