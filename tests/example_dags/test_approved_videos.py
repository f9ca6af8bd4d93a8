"""A person looks at each preview; a no stops that video only, and nothing is rendered for it."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

SMALL = {"video_width": 96, "video_height": 64}


@pytest.mark.skipif(
    metadata.version("apache-airflow").startswith(("3.1.", "3.2.")),
    reason="`airflow dags test` below Airflow 3.3 cannot ask: Unhandled request GetHITLDetailResponse",
)
def test_only_what_was_approved_is_rendered(
    run_example: Any, person: Any, video_creation_emulator: Any, tmp_path: Path
) -> None:
    with person({"0": "Reject", "1": "Approve"}) as answering:
        run = run_example("approved_videos", variables={"videos_folder": str(tmp_path)}, params=SMALL)
        told, _ = answering.communicate(timeout=60)

    assert run.state == "success", run.log[-3000:]
    assert [path.name for path in tmp_path.glob("*.mp4")] == ["market-moves.mp4"]
    states = {index: run.tasks["approved_video.render", index] for index in (0, 1)}
    assert states == {0: "skipped", 1: "success"}
    assert run.tasks["approved_video.download", 0] == "skipped"
    renders = [call for call in video_creation_emulator.admin.calls() if call["operation"] == "render"]
    assert len(renders) == 1
    assert "was rejected by An editor" in run.log
    assert "was approved by An editor" in run.log

    # What the person saw: which video it is, and a link that shows its preview. The log does not hold the link.
    questions = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
    shown = {question["map_index"]: question for question in questions}
    assert shown[1]["subject"] == "Render “market-moves”?"
    link = shown[1]["body"].partition("(<")[2].partition(">)")[0]
    assert urlopen(link).status == 200
    assert link not in run.log
