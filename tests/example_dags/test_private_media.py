"""From a cloud account with nothing but a bucket to a video with private backgrounds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av


def test_role_and_connection_and_a_video_with_them(
    run_example: Any, aws_connection: str, tmp_path: Path
) -> None:
    run = run_example(
        "private_media",
        connections={"aws_default": aws_connection},
        variables={
            "private_media_service_account_id": "000123456789",
            "private_media_role_prefix": "Acme",
            "private_media_bucket": "our-media",
            "private_media_region": "us-east-2",
            "videos_folder": str(tmp_path),
        },
        params={"video_width": 64, "video_height": 36},
    )

    assert run.state == "success", run.log[-3000:]
    assert len(run.xcom("create_role")["changes"]) == 2
    connection = run.xcom("register_connection")
    assert connection["awsAccountId"] == "123456789012"
    assert connection["connectionId"]
    with av.open(run.xcom("download_video")) as video:
        assert sum(1 for _ in video.decode(video=0)) > 25
