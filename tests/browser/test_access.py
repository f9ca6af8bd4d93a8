"""Whoever Airflow shows no DAG to sees nothing of its videos, however he asks."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

SECRETS = ("tide-mill", "slow", "completed", "in-progress", "deferred", "NO_FONT", "video_creation_default")
PAGES = ["", "preview", "video"]
TASKS = ["video", "preview", "slow", "failing"]


@pytest.mark.parametrize("page_name", PAGES)
@pytest.mark.parametrize("task_id", TASKS)
@pytest.mark.parametrize(("user", "status"), [("outsider", 403), (None, 401)])
def test_a_page_shows_nothing_to_others(
    page_of: Any, site: Any, user: str | None, status: int, task_id: str, page_name: str
) -> None:
    page = page_of(user)
    answer = page.goto(site.page_url(task_id, page_name))
    assert answer.status == status
    assert page.url == site.page_url(task_id, page_name)
    assert not [secret for secret in SECRETS if secret in page.content()]


@pytest.mark.parametrize("page_name", ["films/{run}", "films/{run}/videos.json", "films", "films/runs.json"])
@pytest.mark.parametrize(("user", "status"), [("outsider", 403), (None, 401)])
def test_a_page_of_a_run_shows_nothing_to_others(
    page_of: Any, site: Any, user: str | None, status: int, page_name: str
) -> None:
    run = site.page_url("video").split("/")[-3]
    reply = page_of(user).request.get(f"{site.url}/video_creation/videos/{page_name.format(run=run)}")
    assert reply.status == status
    assert not [secret for secret in SECRETS if secret in reply.text()]


@pytest.mark.parametrize(("user", "status"), [("outsider", 403), (None, 401)])
@pytest.mark.parametrize("page_name", ["poster", "videos.json"])
def test_a_picture_is_shown_to_nobody_else(
    page_of: Any, site: Any, user: str | None, status: int, page_name: str
) -> None:
    reply = page_of(user).request.get(site.page_url("video", page_name), max_redirects=0)
    assert reply.status == status


def test_others_cannot_tell_a_task_that_is_there_from_one_that_is_not(page_of: Any, site: Any) -> None:
    page = page_of("outsider")
    pages = []
    for task_id in ("video", "no-such-task"):
        page.goto(site.page_url(task_id))
        pages.append(page.locator("main").inner_html())
    assert pages[0] == pages[1]


def test_the_tab_shows_nothing_to_an_outsider(page_of: Any, site: Any) -> None:
    page = page_of("outsider")
    page.goto(site.task_url("video", "plugin/video_creation"))
    expect(
        page.frame_locator("iframe[title=Video]").get_by_text("you are not allowed to see it")
    ).to_be_visible()


def test_who_is_not_logged_in_gets_airflows_login(page_of: Any, site: Any) -> None:
    page = page_of(None)
    page.goto(site.task_url("video", "plugin/video_creation"))
    page.wait_for_url(lambda url: "/login" in url)


@pytest.mark.parametrize("token", ["", "no-token", "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."])
def test_a_token_that_airflow_did_not_give_opens_nothing(page_of: Any, site: Any, token: str) -> None:
    page = page_of(None)
    reply = page.request.get(site.page_url("video"), headers={"Authorization": f"Bearer {token}"})
    assert reply.status in (401, 403)
    assert not [secret for secret in SECRETS if secret in reply.text()]
