"""Three voices are added, and a video names one of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av

ADDED = ("add_aws_voice", "add_google_voice", "add_elevenlabs_voice")


def test_voices_are_added_and_kept_and_one_reads_the_video(run_example: Any, tmp_path: Path) -> None:
    run = run_example(
        "new_voices",
        variables={"videos_folder": str(tmp_path), "elevenlabs_voice_id": "a-voice-of-ours"},
        params={"video_width": 64, "video_height": 36},
    )

    assert run.state == "success", run.log[-3000:]
    assert [run.xcom(task_id)["category"] for task_id in ADDED] == ["standard", "standard", "premium"]
    assert run.log.count("kept in the Airflow Variable") >= len(ADDED)
    with av.open(run.xcom("download_video")) as video:
        assert sum(1 for _ in video.decode(video=0)) > 25
