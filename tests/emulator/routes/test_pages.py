from typing import Any

from airflow_video_creation.emulator import Emulator


def test_the_index_lists_jobs_and_how_airflow_reaches_the_service(caller: Any, emulator: Emulator) -> None:
    assert "No jobs yet" in caller.get("/").text
    caller.finished(caller.render(videoName="Trees & <rivers>".replace("<", "(").replace(">", ")")))
    page = caller.get("/").text
    assert "Trees &amp; (rivers)" in page
    assert "video-creation://" in page
    assert page.count("completed") == 2


def test_the_index_shows_what_was_called(caller: Any, emulator: Emulator) -> None:
    assert "What was called" not in caller.get("/").text
    emulator.admin.add_fault("status", on="quota", status=503)
    job_id = caller.storyboard(videoName="rivers")
    caller.get("/api/v1/quota")
    caller.get("/api/v1/voices")
    caller.get("/api/v1/voices")
    page = " ".join(caller.get("/").text.split())
    assert "<code>voices</code> 2, <code>storyboard</code> 1, <code>quota</code> 1" in page
    assert "<code>GET /api/v1/voices</code>" in page
    assert f"<td>rivers <code>{job_id}</code></td> <td>200" in page
    assert "<td>503, nothing done (status)" in page


def test_the_index_tells_of_the_latest_calls_and_the_number_of_all(caller: Any) -> None:
    for _ in range(51):
        caller.get("/api/v1/voices")
    page = caller.get("/").text
    assert "<code>voices</code> 51." in page
    assert "The latest 50:" in page
    assert page.count("GET /api/v1/voices") == 50


def test_the_connection_on_the_index_suits_the_dialect(caller: Any, emulator: Emulator) -> None:
    assert "token_prefix=Bearer" not in caller.get("/").text
    emulator.admin.change(dialect={"token_prefix": "Bearer"})
    assert "token_prefix=Bearer" in caller.get("/").text


def test_a_service_that_does_not_decode_shows_entities(caller: Any, emulator: Emulator) -> None:
    scenes = [
        {"text": "AT&amp;T &lt;rises&gt;"},
        {"text": "Q&A"},
        {"text": "<emphasis>B&amp;B</emphasis>"},
    ]
    seen = {}
    for decodes in (True, False):
        emulator.admin.change(dialect={"decodes_text": decodes})
        seen[decodes] = caller.get(caller.job(caller.storyboard(scenes=scenes))["data"]["preview"]).text
    # What a page shows is escaped once more by the page.
    assert "AT&amp;T &lt;rises&gt;" in seen[True]
    assert "AT&amp;amp;T &amp;lt;rises&amp;gt;" in seen[False]
    for page in seen.values():
        assert "Q&amp;A" in page
        assert "B&amp;B" in page
    settings = caller.job(caller.storyboard(scenes=scenes))["data"]["render_settings"]
    assert settings["storyboard"]["scenes"] == scenes


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
