from typing import Any

from airflow_video_creation.emulator import Emulator


def test_the_index_lists_jobs_and_how_airflow_reaches_the_service(caller: Any, emulator: Emulator) -> None:
    assert "No jobs yet" in caller.get("/").text
    caller.finished(caller.render(videoName="Trees & <rivers>".replace("<", "(").replace(">", ")")))
    page = caller.get("/").text
    assert "Trees &amp; (rivers)" in page
    assert "video-creation://" in page
    assert page.count("completed") == 2


def test_a_preview_shows_the_scenes_and_later_the_video(caller: Any) -> None:
    scenes = [{"text": "One & only.", "minimumDuration": 3}, {"text": "<emphasis>Two</emphasis>"}]
    data = caller.finished(caller.storyboard(scenes=scenes))["data"]
    page = caller.get(data["preview"]).text
    assert "One &amp; only." in page
    assert "3.0 s" in page
    assert "<emphasis>" not in page
    assert "<video" not in page
    caller.finished(caller.post("/api/v1/video/render", data["render_settings"]).json()["job_id"])
    assert "<video" in caller.get(data["preview"]).text


def test_a_preview_is_found_by_its_id_only(caller: Any) -> None:
    job_id = caller.storyboard()
    for guess in (job_id, "1", "x"):
        assert caller.get(f"/preview/{guess}").status_code == 404


def test_a_purged_preview_is_gone(caller: Any, emulator: Emulator) -> None:
    job_id = caller.storyboard()
    preview = caller.job(job_id)["data"]["preview"]
    emulator.admin.set_job_state(job_id, "cleaned")
    assert caller.get(preview).status_code == 404


def test_a_purged_job_is_listed_without_a_link(caller: Any, emulator: Emulator) -> None:
    emulator.admin.add_fault("purge", on="storyboard")
    data = caller.finished(caller.storyboard())["data"]
    assert data["status"] == "cleaned"
    assert [job["state"] for job in emulator.admin.jobs()] == ["cleaned"]
    assert "/preview/" not in caller.get("/").text
