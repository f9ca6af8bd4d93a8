"""How long jobs take, in which order they are done, and what they can be told to do wrong."""

from typing import Any

import pytest

from airflow_video_creation.emulator import Emulator


@pytest.fixture
def never_done(emulator: Emulator) -> None:
    """Jobs that end only when they are told to."""
    emulator.admin.change(job_seconds=3600)


@pytest.mark.usefixtures("never_done")
@pytest.mark.parametrize(("state", "success"), [("completed", True), ("failed", False), ("cleaned", True)])
def test_a_job_can_be_ended_at_will(caller: Any, emulator: Emulator, state: str, success: bool) -> None:
    job_id = caller.storyboard()
    assert caller.job(job_id)["data"] == {"status": "in-progress"}
    emulator.admin.set_job_state(job_id, state)
    job = caller.job(job_id)
    assert (job["data"]["status"], job["success"]) == (state, success)
    assert ("preview" in job["data"]) == (state == "completed")
    assert ("error_message" in job["data"]) == (state == "failed")


def test_a_job_takes_its_time(caller: Any, emulator: Emulator) -> None:
    emulator.admin.change(job_seconds=0.05)
    short = caller.storyboard()
    emulator.admin.change(job_seconds=3600)
    long = caller.storyboard()
    assert caller.finished(short)["data"]["status"] == "completed"
    assert caller.job(long)["data"]["status"] == "in-progress"
    assert [job["least_seconds"] for job in emulator.admin.jobs()] == [3600, 0.05]


def test_a_spread_is_reproducible_by_its_seed(caller: Any, emulator: Emulator) -> None:
    def durations() -> list[float]:
        emulator.admin.reset()
        emulator.admin.change(job_seconds=0.02, job_spread=1.0, seed=3)
        jobs = [caller.storyboard() for _ in range(5)]
        for job_id in jobs:
            caller.finished(job_id)
        return [job["least_seconds"] for job in reversed(emulator.admin.jobs())]

    first = durations()
    assert len(set(first)) == 5
    assert durations() == first


def test_a_job_can_be_done_at_its_nth_poll(caller: Any, emulator: Emulator) -> None:
    emulator.admin.change(job_polls=3)
    job_id = caller.storyboard()
    assert [caller.job(job_id)["data"]["status"] for _ in range(4)] == [
        "in-progress",
        "in-progress",
        "completed",
        "completed",
    ]


@pytest.mark.usefixtures("never_done")
def test_renders_wait_for_a_slot_in_the_order_they_came(caller: Any, emulator: Emulator) -> None:
    storyboard = caller.storyboard()
    emulator.admin.set_job_state(storyboard, "completed")
    settings = caller.job(storyboard)["data"]["render_settings"]
    emulator.admin.change(job_polls=1)
    renders = [caller.post("/api/v1/video/render", settings).json()["job_id"] for _ in range(4)]

    def states() -> list[str]:
        found = {job["job_id"]: job["state"] for job in emulator.admin.jobs()}
        return [found[job_id] for job_id in renders]

    # Only a job that has its slot counts polls: the last in line does not move, however often it is asked for.
    for _ in range(5):
        caller.job(renders[3])
    assert states() == ["in-progress"] * 4
    for done, job_id in enumerate(renders, 1):
        caller.finished(job_id)
        assert states() == ["completed"] * done + ["in-progress"] * (4 - done)


def test_with_job_slots_storyboards_wait_for_a_slot_too(call_emulator: Any) -> None:
    with Emulator(instant=True, job_polls=2, job_slots=1) as emulator:
        caller = call_emulator(emulator)
        first, second = caller.storyboard(), caller.storyboard()
        # Without its slot it counts no polls.
        assert {caller.job(second)["data"]["status"] for _ in range(5)} == {"in-progress"}
        assert caller.finished(first)["data"]["status"] == "completed"
        assert caller.finished(second)["data"]["status"] == "completed"


def test_progress_grows_with_the_polls(caller: Any, emulator: Emulator) -> None:
    render_settings = caller.job(caller.storyboard())["data"]["render_settings"]
    emulator.admin.change(job_polls=4)
    job_id = caller.post("/api/v1/video/render", render_settings).json()["job_id"]
    progress = [caller.job(job_id)["data"]["renderProgress"] for _ in range(4)]
    assert progress == [25, 50, 75, 100]


def test_a_job_told_to_fail(caller: Any, emulator: Emulator) -> None:
    emulator.admin.add_fault("fail", on="render", error_code="NO_FONT", error_message="The font is gone.")
    job = caller.finished(caller.render())
    assert job["success"] is False
    assert job["data"] == {"status": "failed", "error_code": "NO_FONT", "error_message": "The font is gone."}


def test_one_video_of_many_fails(caller: Any, emulator: Emulator) -> None:
    emulator.admin.add_fault("fail", on="storyboard", video_name="riv*")
    states = {name: caller.finished(caller.storyboard(videoName=name)) for name in ("trees", "rivers")}
    assert {name: job["data"]["status"] for name, job in states.items()} == {
        "trees": "completed",
        "rivers": "failed",
    }


def test_a_purged_result_is_gone(caller: Any, emulator: Emulator) -> None:
    video = caller.finished(caller.render())["data"]["videoURL"]
    assert caller.get(video).status_code == 200
    emulator.admin.add_fault("purge", on="render", seconds=0)
    job_id = caller.render()
    assert caller.job(job_id) == {"job_id": job_id, "success": True, "data": {"status": "cleaned"}}


def test_a_stalled_job_never_ends(caller: Any, emulator: Emulator) -> None:
    emulator.admin.add_fault("stall", on="storyboard")
    job_id = caller.storyboard()
    assert {caller.job(job_id)["data"]["status"] for _ in range(20)} == {"in-progress"}
    emulator.admin.set_job_state(job_id, "failed")
    assert caller.job(job_id)["data"]["status"] == "failed"
