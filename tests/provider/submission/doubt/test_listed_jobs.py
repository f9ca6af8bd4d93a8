"""The service's list of jobs is read in whatever form it comes, and never for more than it says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from airflow_video_creation.provider.connection.profile import ServiceProfile
from airflow_video_creation.provider.errors import UnreadableReplyError
from airflow_video_creation.provider.submission.doubt.listed_jobs import (
    JobPage,
    ListedJob,
    list_jobs,
    read_page,
)

from ...protocol.http_replies import reply

PROFILE = ServiceProfile("https://video.example.com/v2", "s", paths={"jobs": "/jobs?limit=5"})
ENTRY = {
    "job_id": "j-1",
    "kind": "storyboard",
    "status": "completed",
    "videoName": "Night",
    "created_at": "1970-01-12T13:46:40Z",
}
DATE = "Mon, 12 Jan 1970 13:46:50 GMT"


def read(body: Any, profile: ServiceProfile = PROFILE, **headers: str) -> JobPage:
    call = list_jobs(profile)
    return read_page(reply(body, **headers), call, profile)


def listed(entry: dict[str, Any], profile: ServiceProfile = PROFILE) -> ListedJob:
    [job] = read([entry], profile).jobs
    return job


@pytest.mark.parametrize(
    "body",
    [
        [ENTRY],
        {"data": [ENTRY]},
        {"items": [ENTRY]},
        {"jobs": [ENTRY]},
        {"results": [ENTRY], "success": True},
        {"data": {"items": [ENTRY]}},
    ],
)
def test_a_list_may_stand_anywhere_usual(body: Any) -> None:
    [job] = read(body).jobs
    assert (job.job_id, job.name, job.kind, job.at, job.has_zone) == ("j-1", "Night", "storyboard", 1e6, True)


@pytest.mark.parametrize(
    "body", [b"", b"<html>", {}, {"data": {}}, {"data": ["j-1"]}, [1], 3, {"error": "no"}]
)
def test_what_is_no_list_is_unreadable(body: Any) -> None:
    with pytest.raises(UnreadableReplyError, match="no list of jobs"):
        read(body)


@pytest.mark.parametrize(
    ("told", "at", "has_zone"),
    [
        ({"createdAt": "1970-01-12T14:46:40+01:00"}, 1e6, True),
        ({"created": 1.5e9}, 1.5e9, True),
        ({"Created-At": 1.5e9}, 1.5e9, True),
        ({"submitted_at": 1.5e12}, 1.5e9, True),
        ({"createTime": "1500000000000"}, 1.5e9, True),
        ({"created": 1.5e15}, 1.5e9, True),
        ({"created": DATE}, 1e6 + 10, True),
        ({"created_at": "1970-01-12T13:46:40"}, 1e6, False),
        ({"created_at": "1970-01-12 13:46:40"}, 1e6, False),
        ({"created_at": "yesterday"}, None, True),
        ({"created_at": -5}, None, True),
        ({"created_at": "1e999"}, None, True),
        ({"created_at": True}, None, True),
        ({}, None, True),
        ({"created": 1}, None, True),
        ({"created": 240}, None, True),
        ({"created": 20261118}, None, True),
        ({"created": 202611181100}, None, True),
        ({"created": 20261118110000}, None, True),
        ({"created": "20261118"}, None, True),
        ({"created_at": "2026-11-18T11Z"}, None, True),
        ({"created_at": "2026-11-18T11+0100"}, None, True),
        ({"created_at": "2026-11-18"}, None, True),
        ({"created_at": "2026-11-18T00:00:00Z"}, None, True),
        ({"created_at": "18 Nov 2026"}, None, True),
        ({"created_at": "19700112T134640Z"}, 1e6, True),
    ],
)
def test_times(told: dict[str, Any], at: float | None, has_zone: bool) -> None:
    job = listed({"id": "j-1", **told})
    assert (job.at, job.has_zone) == (at, has_zone)


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("storyboard", "storyboard"),
        ("VIDEO_PREVIEW", "storyboard"),
        ("render", "render"),
        ("video", None),
        ("storyboard-render", None),
        ("videoPreviewJob", "storyboard"),
        ("CREATE_STORYBOARD_V2", "storyboard"),
        ("prerender", None),
        ("preRender", None),
        ("pre-render", None),
        ("draft_render", None),
        (None, None),
    ],
)
def test_kinds(word: str | None, kind: str | None) -> None:
    assert listed({"jobId": "j-1", "type": word}).kind == kind


def test_a_connection_names_the_fields() -> None:
    fields = {"job_name": "meta.label", "job_submitted_at": "meta.at", "job_marker": "meta.note"}
    profile = replace(PROFILE, reply_fields=fields)
    job = listed({**ENTRY, "meta": {"label": "Day", "at": 1.5e9, "note": "n"}}, profile)
    assert (job.name, job.at, job.marker) == ("Day", 1.5e9, "n")
    assert (listed(ENTRY, profile).name, listed(ENTRY, profile).at) == (None, None)


@pytest.mark.parametrize(
    "told",
    [
        {"nextToken": "a"},
        {"next_page": 2},
        {"hasNextPage": True},
        {"total": 12},
        {"next": None, "nextToken": "a"},
    ],
)
def test_an_empty_page_is_no_last_one_where_it_tells_of_more(told: dict[str, Any]) -> None:
    """Else a job on another page would count as one that is not there, and be paid for twice."""
    assert not read({"jobs": [], **told}).is_last
    assert read({"jobs": [], "total": 0}).is_last


def test_the_marker_stands_in_the_field_of_the_request_by_default() -> None:
    assert listed({**ENTRY, "ref": "[vc:..]"}, replace(PROFILE, marker_field="ref")).marker == "[vc:..]"


@pytest.mark.parametrize(
    ("told", "is_last", "next_path"),
    [
        ({}, False, None),
        ({"next_cursor": None}, True, None),
        ({"next": ""}, True, None),
        ({"meta": {"next": None}}, True, None),
        ({"has_more": False}, True, None),
        ({"has_more": True, "next": None}, False, None),
        ({"next_cursor": "a/b"}, False, "/jobs?limit=5&cursor=a%2Fb"),
        ({"nextPageToken": 7}, False, "/jobs?limit=5&pageToken=7"),
        ({"next": "/jobs?page=2"}, False, "/jobs?page=2"),
        ({"next": "?page=2"}, False, "/jobs?page=2"),
        ({"links": {"next": "https://video.example.com/v2/jobs?page=2"}}, False, "/jobs?page=2"),
        ({"next": "https://elsewhere.example.com/v2/jobs?page=2"}, False, None),
        ({"next": "/other?page=2"}, False, None),
        ({"next": "//elsewhere.example.com/jobs"}, False, None),
        ({"next": {"page": 2}}, False, None),
        ({"next": True}, False, None),
    ],
)
def test_pages(told: dict[str, Any], is_last: bool, next_path: str | None) -> None:
    page = read({"data": [ENTRY], **told})
    assert (page.is_last, page.next_path) == (is_last, next_path)


@pytest.mark.parametrize(
    "body",
    [
        [],
        {"data": []},
        {"data": [], "warning": "index rebuilding"},
        {"data": [], "next": None, "warning": "index rebuilding"},
        {"items": [], "page": 1, "pages": 4},
        {"items": [], "next": None, "meta": {"page": 1, "total_pages": 4}},
        {"queued": [ENTRY], "items": [], "next": None},
        {"queued": [ENTRY], "items": [ENTRY], "next": None},
        {"data": {"running": {"list": [ENTRY]}, "jobs": []}, "next": None},
        {"data": [], "pageInfo": {"hasNextPage": True}},
    ],
)
def test_an_answer_that_may_hide_a_job_is_not_the_whole_list(body: Any) -> None:
    """Else the job that it hides would count as one that is not there, and be paid for twice."""
    assert not read(body).is_last


def test_of_several_lists_one_with_jobs_is_read() -> None:
    assert len(read({"data": [], "jobs": [ENTRY]}).jobs) == 1


@pytest.mark.parametrize(
    "body",
    [
        {"data": [], "next_cursor": None},
        {"Items": [], "HasMore": False},
        {"content": [], "total": "0"},
        {"records": [], "errors": [], "_links": {"next": None}, "page": 1, "pages": 1},
    ],
)
def test_an_empty_list_that_says_that_it_ends_is_whole(body: Any) -> None:
    assert read(body).is_last


def test_a_page_tells_how_many_jobs_there_are() -> None:
    assert read({"data": [ENTRY], "next": None, "paging": {"totalCount": 57}}).total == 57
    assert read([ENTRY]).total is None


def test_a_name_that_may_be_the_jobs_own_is_not_surely_the_videos() -> None:
    assert listed(ENTRY).is_video_name
    assert not listed({"id": "j-1", "name": "worker-7", "title": "Night"}).is_video_name
    named = replace(PROFILE, reply_fields={"job_name": "name"})
    assert listed({"id": "j-1", "name": "Night"}, named).is_video_name


def test_the_list_is_read_past_caches() -> None:
    request = list_jobs(PROFILE, "/jobs?page=2").request(PROFILE, token="t", user_id="u", user_agent="a")
    assert request.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    ("headers", "served_at"),
    [
        ({"date": DATE}, 1e6 + 10),
        ({}, None),
        ({"date": "soon"}, None),
        ({"date": DATE, "age": "30"}, None),
        ({"date": DATE, "x-cache": "HIT from edge"}, None),
    ],
    ids=["told", "not told", "unreadable", "a cache's", "a cache's without its age"],
)
def test_the_services_time(headers: dict[str, str], served_at: float | None) -> None:
    assert read([ENTRY], **headers).served_at == served_at
