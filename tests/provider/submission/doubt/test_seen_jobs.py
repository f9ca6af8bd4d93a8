"""What is known of the list after each page."""

from __future__ import annotations

from dataclasses import replace

from airflow_video_creation.provider.submission.doubt.listed_jobs import JobPage, ListedJob
from airflow_video_creation.provider.submission.doubt.seen_jobs import SeenJobs

from .samples import (
    OLD,
    SENT,
    YESTERDAYS,
    job,
)


def page(*jobs: ListedJob, is_last: bool = False, served_at: float | None = SENT) -> JobPage:
    return JobPage(jobs, is_last, served_at=served_at)


def test_a_job_that_moves_to_the_next_page_is_one_job() -> None:
    both = SeenJobs().with_page(page(job()), SENT).with_page(page(job(), OLD, is_last=True), SENT)
    assert [each.job_id for each in both.jobs] == ["j-1", "old"]
    assert both.is_whole


def test_a_service_that_gives_the_same_page_again_has_not_shown_all() -> None:
    again = SeenJobs().with_page(page(job()), SENT).with_page(page(job(), is_last=True), SENT)
    assert not again.is_whole


def test_a_list_that_counts_more_than_it_has_shown_is_not_whole() -> None:
    first = SeenJobs().with_page(replace(page(job()), total=3), SENT)
    assert not first.with_page(replace(page(OLD, is_last=True), total=3), SENT).is_whole
    assert first.with_page(replace(page(OLD, YESTERDAYS, is_last=True), total=3), SENT).is_whole


def test_an_empty_last_page_ends_the_list() -> None:
    assert SeenJobs().with_page(page(job()), SENT).with_page(page(is_last=True), SENT).is_whole


def test_a_page_that_does_not_tell_the_time_makes_it_unknown() -> None:
    told = SeenJobs().with_page(page(job()), SENT)
    assert told.ahead == 0.0
    assert told.with_page(page(OLD, served_at=None), SENT).ahead is None
