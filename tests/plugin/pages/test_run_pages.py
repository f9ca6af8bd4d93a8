"""The page of a run, below a real Airflow API: all its videos in a few requests, for whoever may see the run."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from airflow_video_creation.plugin.pages import answers
from airflow_video_creation.plugin.pages.recent_jobs import RecentJobs
from airflow_video_creation.plugin.pages.task_pages import task_pages_router
from airflow_video_creation.provider.models.job import Job
from airflow_video_creation.provider.shown.run_instance import DELIVERY_KEY, FAILURE_KEY, RESULT_KEY
from airflow_video_creation.provider.shown.video_row import ROW_STATES
from airflow_video_creation.provider.spending.failure import Failure
from airflow_video_creation.provider.submission.shown_job import JOB_KEY, ShownJob
from airflow_video_creation.provider.videos.video_shards import INDEX_KEY, OUTCOME, SUBMISSIONS, shard_key

STORYBOARD, RENDER, DOWNLOAD = (
    f"video_from_storyboard.{step}" for step in ("create_storyboard", "render_video", "download_video")
)
CONN = "video_creation_default"
TEMPLATES = Path(answers.__file__).parent / "templates"
MANY = ["adopt_storyboard_job_ids"]
NAME = "<img src=x onerror=alert(1)>"
Get = Any
"""Asks for a page, see ``conftest.Ask``."""


def job(job_id: str, kind: str, name: str, **other: Any) -> dict[str, Any]:
    return ShownJob(job_id, kind, CONN, video_name=name, **other).to_json()


async def test_three_tasks_of_a_video_are_one_row(ask: Get, night: Any) -> None:
    night.has(STORYBOARD, 0, "success", {JOB_KEY: job("s-0", "storyboard", NAME)})
    night.has(RENDER, 0, "success", {JOB_KEY: job("r-0", "render", NAME, storyboard_job_id="s-0")})
    delivered = {"path": "/videos/film-0.mp4", "duration": 90.0}
    night.has(DOWNLOAD, 0, "success", {JOB_KEY: job("r-0", "render", NAME), DELIVERY_KEY: delivered})
    night.has(STORYBOARD, 1, "deferred", {JOB_KEY: job("s-1", "storyboard", "film-1")})
    failed = Failure("AuthenticationError", "Wrong token. Correct it. Nothing was sent.", video="film-2")
    night.has(STORYBOARD, 2, "failed", {FAILURE_KEY: failed.to_json()})

    told = (await ask("/videos/night/{run}/videos.json")).json()

    rows = {row["n"]: row for row in told["rows"]}
    assert rows[NAME] == {
        "n": NAME,
        "s": "delivered",
        "t": DOWNLOAD,
        "i": 0,
        "p": "download",
        "m": 1.5,
        "f": "/videos/film-0.mp4",
        "b": "s-0",
        "r": "r-0",
    }
    assert rows["film-1"]["s"] == "under-way"
    assert (rows["film-2"]["c"], rows["film-2"]["d"]) == ("Wrong token.", "Correct it.\nNothing was sent.")
    assert told["states"] == {"failed": 1, "under-way": 1, "delivered": 1}
    assert (told["total"], told["minutes"], told["paid"]) == (3, 1.5, 1.5)


async def test_a_night_costs_few_requests_to_airflow_and_none_to_the_service(
    ask: Get, night: Any, service: Any
) -> None:
    night.has("many", -1, "success", {RESULT_KEY: [video(n) for n in range(2000)]})

    told = (await ask("/videos/night/{run}/videos.json")).json()

    assert told["states"]["delivered"] == 2000
    assert len(ask.asked) <= 10
    assert not service.seen


def test_the_page_has_a_word_for_each_state_and_shows_first_what_needs_a_person() -> None:
    words = (TEMPLATES / "shared.js").read_text().partition("const WORDS = {")[2].partition("}")[0]
    assert re.findall(r'"?([\w-]+)"?: "', words) == list(ROW_STATES)


async def test_nothing_is_sent_again_while_nothing_changes(ask: Get, night: Any) -> None:
    first = await ask("/videos/night/{run}/videos.json")
    again = await ask("/videos/night/{run}/videos.json?seen=" + first.headers["x-version"])
    assert (again.status_code, again.content) == (204, b"")
    night.has(STORYBOARD, 0, "running", {JOB_KEY: job("s-0", "storyboard", "film-0")})
    changed = await ask("/videos/night/{run}/videos.json?seen=" + first.headers["x-version"])
    assert changed.status_code == 200


async def test_the_numbers_alone_are_enough_for_a_list_of_runs(ask: Get, night: Any) -> None:
    night.has("many", -1, "success", {RESULT_KEY: [video(1)]})
    told = (await ask("/videos/night/{run}/videos.json?rows=false")).json()
    assert (told["states"]["delivered"], "rows" in told) == (1, False)
    runs = (await ask("/videos/night/runs.json")).json()["runs"]
    assert night.run_id in [run["id"] for run in runs]


@pytest.mark.parametrize(
    "page",
    ["/videos/night/{run}", "/videos/night/{run}/videos.json", "/videos/night", "/videos/night/runs.json"],
)
async def test_nobody_sees_nothing(ask: Get, night: Any, page: str) -> None:
    night.has(STORYBOARD, 0, "success", {JOB_KEY: job("s-0", "storyboard", "secret-film")})
    answer = await ask(page, user=None)
    assert answer.status_code == 401
    assert "secret-film" not in answer.text


@pytest.mark.parametrize(
    "page", ["/videos/night/no-such-run", "/videos/no-such-dag/{run}", "/videos/no-such-dag"]
)
async def test_what_is_not_there_looks_like_what_may_not_be_seen(ask: Get, night: Any, page: str) -> None:
    answer = await ask(page)
    assert answer.status_code == 403
    assert "or you are not allowed to see it" in answer.text


async def test_the_pages_run_no_script_but_their_own_and_are_kept_by_no_cache(ask: Get, night: Any) -> None:
    night.has(STORYBOARD, 0, "success", {JOB_KEY: job("s-0", "storyboard", NAME)})
    for page in ("/videos/night/{run}", "/videos/night"):
        answer = await ask(page)
        assert answer.status_code == 200
        assert "default-src 'none'; script-src 'nonce-" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"
        assert NAME not in answer.text


async def test_a_picture_is_led_to_and_only_when_it_is_asked_for(ask: Get, night: Any, service: Any) -> None:
    night.has(RENDER, 0, "success", {JOB_KEY: job("r-0", "render", "film-0")}, rendered=["render_settings"])
    service.will(
        service.job("completed", thumbnail="https://media.example.com/p.jpg?sig"), on="/api/v1/job/r-0"
    )
    assert not service.seen
    answer = await ask(f"/tasks/night/{{run}}/{RENDER}/0/poster")
    assert (answer.status_code, answer.headers["location"]) == (303, "https://media.example.com/p.jpg?sig")
    assert (await ask(f"/tasks/night/{{run}}/{RENDER}/1/poster")).status_code == 404
    assert (await ask(f"/tasks/night/{{run}}/{RENDER}/0/poster", user=None)).status_code == 401


async def test_a_page_of_pictures_asks_the_service_for_four_at_a_time(ask: Get, night: Any, now: Any) -> None:
    night.has("many", -1, "success", {RESULT_KEY: [video(n) for n in range(9)]}, rendered=MANY)
    service = SlowService()
    ask.pages = FastAPI()
    ask.pages.include_router(task_pages_router(RecentJobs(now, service.read)))

    asked = [
        asyncio.create_task(ask(f"/tasks/night/{{run}}/many/-1/poster?video=film-{n}")) for n in range(9)
    ]
    for _ in asked:
        await service.answers_one()

    assert {answer.status_code for answer in await asyncio.gather(*asked)} == {303}
    assert (service.reads, service.most) == (9, 4)


class SlowService:
    """Answers one read when it is told to, once as many wait for it as may."""

    def __init__(self) -> None:
        self.reads = self.reading = self.most = 0
        self._changed = asyncio.Condition()
        self._may_answer = asyncio.Semaphore(0)

    async def read(self, conn_id: str, user_id: str | None, job_id: str) -> Job:
        async with self._changed:
            self.reads += 1
            self.reading += 1
            self.most = max(self.most, self.reading)
            self._changed.notify_all()
        await self._may_answer.acquire()
        self.reading -= 1
        return Job(job_id=job_id, state="completed", thumbnail_url="https://media.example.com/p.jpg")

    async def answers_one(self) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self.reading >= 4 or self.reads == 9)
        self._may_answer.release()


async def test_one_video_of_a_task_that_makes_many_is_played(ask: Get, night: Any, service: Any) -> None:
    night.has("many", -1, "success", {RESULT_KEY: [video(1), video(2)]}, rendered=MANY)
    url = "https://media.example.com/v.mp4?sig"
    service.will(service.job("completed", videoURL=url), on="/api/v1/job/r-2")
    assert f'src="{url}"' in (await ask("/tasks/night/{run}/many/-1?video=film-2")).text
    assert [seen.path for seen in service.seen] == ["/api/v1/job/r-2"]
    told = (await ask("/tasks/night/{run}/many/-1/videos.json")).json()
    assert [row["n"] for row in told["rows"]] == ["film-1", "film-2"]


CHANGES = """
from airflow.sdk import DAG
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator

FILM = {{"videoName": "tide", "scenes": [{{"text": "It begins."}}]}}
with DAG("changes", schedule=None):
    preview = CreateStoryboardOperator(task_id="preview", storyboard=FILM, wait_for_completion=True)
    RenderVideoOperator(task_id={render!r}, storyboard_job_id=preview.output)
"""


async def test_a_run_shows_the_videos_of_tasks_that_were_renamed_since(
    ask: Get, author: Any, run_of: Any, service: Any
) -> None:
    author(CHANGES.format(render="render"))
    before = await run_of("changes")
    before.has("preview", -1, "success", {JOB_KEY: job("s-1", "storyboard", "tide")})
    before.has(
        "render",
        -1,
        "success",
        {JOB_KEY: job("r-1", "render", "tide", storyboard_job_id="s-1")},
        rendered=["render_settings"],
    )
    author(CHANGES.format(render="render_video"))
    page = f"/videos/changes/{before.run_id.replace('+', '%2B')}/videos.json"

    told = (await ask(page)).json()

    assert [(row["n"], row["s"], row["t"], row["r"]) for row in told["rows"]] == [
        ("tide", "made", "render", "r-1")
    ]
    assert (await ask(page, user=None)).status_code == 401
    service.will(service.job("completed", videoURL="https://media.example.com/v.mp4"), on="/api/v1/job/r-1")
    shown = await ask(f"/tasks/changes/{before.run_id.replace('+', '%2B')}/render/-1")
    assert 'src="https://media.example.com/v.mp4"' in shown.text


@pytest.mark.usefixtures("state_store")
async def test_a_task_at_work_says_how_many_videos_are_to_come(ask: Get, night: Any) -> None:
    ended = {"state": "delivered", "try": 1, "generation": 0}
    store = {
        INDEX_KEY: {"version": 1, "shards": 1, "asked": 3, "names": ["film-1", "film-2", "film-3"]},
        shard_key(0): {"videos": {"film-2": {OUTCOME: ended}}},
    }
    night.has("many", -1, "running", store=store, rendered=MANY)
    told = (await ask("/tasks/night/{run}/many/-1/videos.json")).json()
    assert [(row["n"], row["s"]) for row in told["rows"]] == [
        ("film-1", "not-begun"),
        ("film-2", "delivered"),
        ("film-3", "not-begun"),
    ]
    assert (told["total"], told["states"]) == (3, {"not-begun": 2, "delivered": 1})


@pytest.mark.usefixtures("state_store")
async def test_a_task_at_work_shows_the_videos_that_it_has_begun(ask: Get, night: Any, service: Any) -> None:
    records = {"records": {"0.x.storyboard": {"generation": 0, "state": "submitted", "job_id": "s-1"}}}
    ended = {
        "state": "delivered",
        "render_job_id": "r-2",
        "file": "/videos/film-2.mp4",
        "try": 1,
        "generation": 0,
    }
    videos = {"film-1": {SUBMISSIONS: records}, "film-2": {OUTCOME: ended}}
    night.has("many", -1, "running", store={shard_key(3): {"videos": videos}}, rendered=MANY)

    told = (await ask("/videos/night/{run}/videos.json")).json()

    rows = {row["n"]: row for row in told["rows"] if row["t"] == "many"}
    assert {name: (row["s"], row["h"]) for name, row in rows.items()} == {
        "film-1": ("under-way", 3),
        "film-2": ("delivered", 3),
    }
    service.will(service.job("completed", thumbnail="https://media.example.com/p.jpg"), on="/api/v1/job/r-2")
    assert (await ask("/tasks/night/{run}/many/-1/poster?video=film-2&shard=3")).status_code == 303


async def test_no_job_but_those_of_the_task_is_asked_for(ask: Get, night: Any, service: Any) -> None:
    night.has("many", -1, "success", {RESULT_KEY: [video(1)]}, rendered=MANY)
    for name in ("film-9", "r-1", ""):
        assert (await ask(f"/tasks/night/{{run}}/many/-1?video={name}")).status_code == 200
    assert not service.seen


def video(number: int) -> dict[str, Any]:
    return {
        "name": f"film-{number}",
        "state": "delivered",
        "storyboard_job_id": f"s-{number}",
        "render_job_id": f"r-{number}",
        "file": f"/videos/film-{number}.mp4",
        "minutes": 0.5,
    }
