"""What a caller can find out before paying, and which jobs there are."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import requests

from airflow_video_creation.emulator import Emulator

TRACK = {
    "name": "Marguerite",
    "service": "aws",
    "engine": "neural",
    "language": "fr-FR",
    "voiceId": "Lea",
    "accent": "French",
    "age": "Adult",
    "gender": "Female",
}
MINUTE = [{"text": "A minute.", "minimumDuration": 60}]


def jobs(caller: Any, **query: Any) -> Any:
    reply = caller.get("/api/v1/jobs", params=query)
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_voices_are_the_built_in_ones_and_the_tracks_that_were_added(caller: Any) -> None:
    def voices() -> Any:
        return caller.get("/api/v1/voices").json()["data"]

    assert voices()[0] == {"id": "Matthew", "name": "Matthew", "language": "en-US", "gender": "Male"}
    track_id = caller.post("/serviceapis/v1/voiceovers/tracks", TRACK).json()["id"]
    assert voices()[-1] == {
        "id": str(track_id),
        "name": "Marguerite",
        "language": "fr-FR",
        "gender": "Female",
    }


def test_fonts_are_the_families_that_a_text_may_name(caller: Any) -> None:
    names = [font["name"] for font in caller.get("/api/v1/fonts").json()["data"]]
    assert {"Arial", "Georgia", "Noto Sans"} <= set(names)
    assert len(names) == len(set(names))


def test_the_quota_shrinks_with_each_render_that_is_accepted(caller: Any, emulator: Emulator) -> None:
    emulator.admin.change(quota_minutes=10)

    def quota() -> Any:
        return caller.get("/api/v1/quota").json()["data"]

    storyboard = caller.storyboard(scenes=MINUTE)
    assert quota() == {"minutes_total": 10.0, "minutes_used": 0.0, "minutes_left": 10.0}
    caller.put(f"/api/v1/video/render/{storyboard}", {})
    assert quota() == {"minutes_total": 10.0, "minutes_used": 1.0, "minutes_left": 9.0}


def test_a_render_that_is_cancelled_takes_nothing_of_the_quota(caller: Any, emulator: Emulator) -> None:
    storyboard = caller.storyboard(scenes=MINUTE)
    emulator.admin.change(job_seconds=3600)
    job_id = caller.put(f"/api/v1/video/render/{storyboard}", {}).json()["job_id"]
    assert caller.get("/api/v1/quota").json()["data"]["minutes_used"] == 1.0
    caller.post(f"/api/v1/job/{job_id}/cancel", {})
    assert caller.get("/api/v1/quota").json()["data"]["minutes_used"] == 0.0


def test_without_a_limit_the_quota_is_very_large(caller: Any) -> None:
    assert caller.get("/api/v1/quota").json()["data"]["minutes_left"] == 1_000_000


def test_what_was_used_of_the_quota_is_known_after_a_restart(
    tmp_path: Path, call_emulator: Callable[[Emulator], Any]
) -> None:
    options = {"folder": tmp_path, "instant": True, "quota_minutes": 10}
    with Emulator(**options) as emulator:
        call_emulator(emulator).render(scenes=MINUTE)
    with Emulator(**options) as again:
        assert call_emulator(again).get("/api/v1/quota").json()["data"]["minutes_used"] == 1.0


def test_jobs_are_listed_newest_first(caller: Any) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    storyboard = caller.storyboard(videoDescription="All of them.")
    render = caller.put(f"/api/v1/video/render/{storyboard}", {}).json()["job_id"]
    reply = jobs(caller)
    assert reply["next_cursor"] is None
    assert [job["job_id"] for job in reply["data"]] == [render, storyboard]
    created_at = reply["data"][1].pop("created_at")
    assert reply["data"][1] == {
        "job_id": storyboard,
        "kind": "storyboard",
        "status": "completed",
        "videoName": "trees",
        "videoDescription": "All of them.",
    }
    assert created_at.endswith("Z")
    assert before <= datetime.fromisoformat(created_at) <= datetime.now(UTC)


def test_a_job_is_listed_as_it_is_now(caller: Any, emulator: Emulator) -> None:
    emulator.admin.change(job_seconds=3600)
    job_id = caller.storyboard()
    assert jobs(caller)["data"][0]["status"] == "in-progress"
    caller.post(f"/api/v1/job/{job_id}/cancel", {})
    assert jobs(caller)["data"][0]["status"] == "failed"


def test_every_job_is_on_one_page_also_while_new_ones_come(caller: Any) -> None:
    made = [caller.storyboard() for _ in range(5)]
    page = jobs(caller, limit=2)
    listed = page["data"]
    while page["next_cursor"]:
        caller.storyboard()
        page = jobs(caller, limit=2, cursor=page["next_cursor"])
        listed += page["data"]
    assert [job["job_id"] for job in listed] == made[::-1]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("kind", ["reset", "hang"])
def test_the_list_has_the_jobs_whose_submission_was_never_answered(
    caller: Any, emulator: Emulator, kind: str, when: str
) -> None:
    emulator.admin.add_fault(kind, on="storyboard", when=when, seconds=0.05)
    with pytest.raises(requests.ConnectionError):
        caller.post("/api/v1/video/storyboard", {"videoName": "lost"})
    assert [job["videoName"] for job in jobs(caller)["data"]] == (["lost"] if when == "after" else [])


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": 1001}, "limit"),
        ({"limit": "x"}, "limit"),
        ({"cursor": "x"}, "cursor"),
    ],
)
def test_a_wrong_page_is_refused(caller: Any, query: dict[str, Any], field: str) -> None:
    reply = caller.get("/api/v1/jobs", params=query)
    assert reply.status_code == 400
    assert reply.json()["fields"][0]["name"] == field


@pytest.mark.parametrize(
    ("envelope", "field"), [("data", "data"), ("items", "items"), ("plural", "voices"), ("bare", None)]
)
def test_a_list_in_every_envelope(caller: Any, emulator: Emulator, envelope: str, field: str | None) -> None:
    emulator.admin.change(dialect={"list_envelope": envelope, "list_fields": {"name": "displayName"}})
    reply = caller.get("/api/v1/voices").json()
    voices = reply if field is None else reply[field]
    assert voices[0] == {"id": "Matthew", "displayName": "Matthew", "language": "en-US", "gender": "Male"}


def test_a_page_of_jobs_in_another_services_words(caller: Any, emulator: Emulator) -> None:
    emulator.admin.change(
        dialect={
            "list_envelope": "plural",
            "list_fields": {"videoName": "request.title", "videoDescription": "request.text"},
            "state_words": {"completed": "DONE"},
        }
    )
    caller.post("/api/v1/video/storyboard", {"videoName": "trees", "videoDescription": "All."})
    reply = jobs(caller)
    assert reply["next_cursor"] is None
    (job,) = reply["jobs"]
    assert (job["status"], job["request"]) == ("DONE", {"title": "trees", "text": "All."})


def test_the_quota_in_another_services_words(caller: Any, emulator: Emulator) -> None:
    emulator.admin.change(
        quota_minutes=5, dialect={"list_envelope": "bare", "list_fields": {"minutes_left": "left.minutes"}}
    )
    assert caller.get("/api/v1/quota").json() == {
        "minutes_total": 5.0,
        "minutes_used": 0.0,
        "left": {"minutes": 5.0},
    }
