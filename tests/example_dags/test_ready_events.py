"""Three DAGs, of which none waits; here each is run by hand, as after a call of the service that was lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def test_by_hand_each_dag_goes_on_from_the_jobs_of_the_one_before(run_example: Any, tmp_path: Path) -> None:
    submitted = run_example("submit_storyboards")
    assert submitted.state == "success", submitted.log[-3000:]
    previews = [submitted.xcom("submit", map_index=index) for index in (0, 1)]

    rendered = run_example("render_ready_previews", params={"job_ids": previews})
    assert rendered.state == "success", rendered.log[-3000:]
    videos = [rendered.xcom("render", map_index=index) for index in (0, 1)]

    delivered = run_example(
        "deliver_ready_videos", params={"job_ids": videos}, variables={"videos_folder": str(tmp_path)}
    )
    assert delivered.state == "success", delivered.log[-3000:]
    assert {file.name for file in tmp_path.glob("*.mp4")} == {f"{job_id}.mp4" for job_id in videos}
    assert all(file.stat().st_size > 1000 for file in tmp_path.glob("*.mp4"))


def test_without_an_event_nothing_is_rendered(run_example: Any) -> None:
    run = run_example("render_ready_previews")

    assert run.state == "success", run.log[-3000:]
    assert run.tasks["render", -1] == "skipped"
