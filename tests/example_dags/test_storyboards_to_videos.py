"""Many storyboards: planned, made, and summed up by Airflow itself; and a night on which the token is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SMALL = {"video_width": 96, "video_height": 64}


@pytest.fixture
def make_videos(run_example: Any, tmp_path: Path) -> Any:
    def make(**params: Any) -> Any:
        return run_example(
            "storyboards_to_videos", variables={"videos_folder": str(tmp_path)}, params={**SMALL, **params}
        )

    return make


def test_each_becomes_a_video_within_the_budget(
    make_videos: Any, video_creation_emulator: Any, tmp_path: Path
) -> None:
    video_creation_emulator.admin.add_fault("status", on="storyboard", status=400, video_name="product-lamp")
    run = make_videos(max_videos=2)

    assert run.state == "success", run.log[-3000:]
    assert [path.name for path in tmp_path.glob("*.mp4")] == ["product-kettle.mp4"]
    assert run.tasks["make_videos", -1] == "failed"
    rows = [json.loads(line) for line in (tmp_path / "manifest.jsonl").read_text().splitlines()]
    assert [(row["name"], row["state"]) for row in rows] == [
        ("product-kettle", "delivered"),
        ("product-lamp", "failed"),
    ]
    summary = run.xcom("summarize")
    assert (summary["made"], summary["failed"]) == (1, 1)
    assert summary["videos"][0]["minutes"] > 0
    assert summary["failures"][0]["video"] == "product-lamp"
    assert summary["failures"][0]["kind"] == "RequestRefusedError"
    assert [item["video"] for item in summary["left_out"]] == ["product-radio", "product-teapot"]
    assert "1 of 4 videos were made" in run.log


def test_a_refused_token_stops_the_rest_and_fails_the_run_with_one_cause(
    make_videos: Any, video_creation_emulator: Any
) -> None:
    video_creation_emulator.admin.add_fault("status", on="storyboard", status=401)
    run = make_videos()

    assert run.state == "failed"
    kinds = {failure["kind"] for failure in run.xcom("summarize")["failures"]}
    assert "AuthenticationError" in kinds <= {"AuthenticationError", "SpendingStoppedError"}
    assert run.xcom("summarize")["failed"] == 4
    assert "x AuthenticationError): product-" in run.log
    assert not any(call["acted"] for call in video_creation_emulator.admin.calls(operation="storyboard"))


def test_a_dry_run_sends_nothing(make_videos: Any, video_creation_emulator: Any) -> None:
    run = make_videos(dry_run=True)

    assert run.state == "success", run.log[-3000:]
    assert video_creation_emulator.admin.calls() == []
    assert run.xcom("make_videos") == []
    assert run.xcom("summarize")["headline"].startswith("Dry run: 4 videos would be made, about 0.")
