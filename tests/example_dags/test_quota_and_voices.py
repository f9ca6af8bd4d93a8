"""A night asks the service before it pays: what is left decides what is made, and an unknown voice is left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SMALL = {"video_width": 96, "video_height": 64}
PATHS = {"quota": "/api/v1/quota", "voices": "/api/v1/voices", "jobs": "/api/v1/jobs"}


@pytest.fixture
def make_bulletins(run_example: Any, video_creation_emulator: Any, tmp_path: Path) -> Any:
    """Runs the DAG on a connection that says what the service can be asked."""
    connection = json.loads(video_creation_emulator.connection_json)
    connection["extra"] |= {"paths": PATHS}

    def make(**params: Any) -> Any:
        return run_example(
            "quota_and_voices",
            connections={"video_creation_default": json.dumps(connection)},
            variables={"videos_folder": str(tmp_path)},
            params={**SMALL, **params},
        )

    return make


def test_what_fits_into_the_quota_is_made_and_an_unknown_voice_is_left_out(
    make_bulletins: Any, video_creation_emulator: Any, tmp_path: Path
) -> None:
    video_creation_emulator.admin.change(quota_minutes=0.1)
    run = make_bulletins(speakers=["Matthew", "Johanna", "Amy"])

    assert run.state == "success", run.log[-3000:]
    assert [path.name for path in tmp_path.glob("*.mp4")] == ["bulletin-harbour.mp4"]
    reasons = {item["video"]: item["reason"] for item in run.xcom("plan_videos", "left_out")}
    assert "did you mean 'Joanna'" in reasons["bulletin-market"]
    assert reasons["bulletin-theatre"].endswith("of the quota were left.")
    assert run.xcom("plan_videos", "estimate")["quota_minutes"] == 0.1
    assert {call["name"] for call in video_creation_emulator.admin.calls(operation="storyboard")} == {
        "bulletin-harbour"
    }


def test_where_nothing_is_left_nothing_is_sent(make_bulletins: Any, video_creation_emulator: Any) -> None:
    video_creation_emulator.admin.change(quota_minutes=0)
    run = make_bulletins()

    assert run.state == "failed"
    assert "SpendingStoppedError" in run.log
    assert video_creation_emulator.admin.calls(operation="storyboard") == []


def test_a_dry_run_looks_and_makes_nothing(make_bulletins: Any, video_creation_emulator: Any) -> None:
    run = make_bulletins(dry_run=True)

    assert run.state == "success", run.log[-3000:]
    # The voices may be known from another run of a moment ago.
    asked = {call["operation"] for call in video_creation_emulator.admin.calls()}
    assert "quota" in asked
    assert asked <= {"quota", "voices"}
    assert run.xcom("summarize")["headline"].startswith("Dry run: 3 videos would be made")
