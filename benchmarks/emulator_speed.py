"""How long the emulator takes to start, to make a video and to answer a poll, and how much memory that takes."""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psutil
import requests
from figures_kept import Measuring, Result, end
from figures_pages import table

from airflow_video_creation.emulator import Emulator

SCENES = 5
POLLS = 3000
TICK = 0.05


def started(*, process: bool) -> float:
    """Seconds from a start until it answers."""
    began = time.monotonic()
    with Emulator(process=process, instant=True):
        return time.monotonic() - began


def made(*, music: bool) -> dict[str, float]:
    """What a video costs, from its render to its file."""
    from airflow_video_creation.hooks.video_creation import VideoCreationHook

    storyboard = {
        "videoName": "measured",
        "videoWidth": 1280,
        "videoHeight": 720,
        "audio": {"aiVoiceOver": {"speaker": "Joanna"}, "autoBackgroundMusic": music},
        "scenes": [
            {"text": f"Scene {number} says what happened there.", "voiceOver": True, "minimumDuration": 3}
            for number in range(SCENES)
        ],
    }
    with Emulator(process=True) as emulator:
        os.environ["AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"] = emulator.connection_json
        (child,) = psutil.Process().children()
        hook, memory = VideoCreationHook(), 0
        board = _ended(hook, hook.create_storyboard(storyboard), child)[0]
        cpu, began = _cpu(child), time.monotonic()
        video, memory = _ended(hook, hook.render_video(board.render_settings), child)
        content = requests.get(video.video_url, timeout=60).content
        seconds, spent = time.monotonic() - began, _cpu(child) - cpu
        assert content
        return {"length": video.duration or 0.0, "seconds": seconds, "cpu": spent, "memory": memory}


def _ended(hook: Any, job_id: str, child: psutil.Process) -> tuple[Any, int]:
    memory = 0
    while True:
        memory = max(memory, child.memory_info().rss)
        job = hook.get_job(job_id)
        if job.state == "completed":
            return job, memory
        time.sleep(TICK)


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def polls_a_second(polls: int) -> float:
    """Polls a second of one client over one kept-alive connection, at an instant emulator."""
    from airflow_video_creation.hooks.video_creation import VideoCreationHook

    with Emulator(process=True, instant=True) as emulator:
        os.environ["AIRFLOW_CONN_VIDEO_CREATION_DEFAULT"] = emulator.connection_json
        hook = VideoCreationHook()
        job_id = hook.create_storyboard({"videoName": "polled", "scenes": [{"text": "A scene."}]})
        began = time.monotonic()
        for _ in range(polls):
            hook.get_job(job_id)
        return polls / (time.monotonic() - began)


def parts(result: Result) -> Mapping[str, str]:
    """One table."""
    found = result.found
    rows = [
        ["starts in a thread", f"{found['thread']:.1f} s", "", ""],
        ["starts in a process", f"{found['process']:.1f} s", "", ""],
        *(
            [
                f"makes {film['length']:.0f} s of 720p video from {SCENES} scenes{what}",
                f"{film['seconds']:.1f} s",
                f"{film['cpu']:.1f} s",
                f"{film['memory'] / 1e6:.0f} MB",
            ]
            for what, film in (
                (", with speech", found["film"]),
                (", with speech and music", found["with_music"]),
            )
        ),
        ["answers a poll of our hook, with `--instant`", f"{1000 / found['polls']:.1f} ms", "", ""],
    ]
    return {"emulator": table(["", "takes", "CPU", "memory"], *rows)}


def main() -> None:
    """Measure each once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--polls", type=int, default=POLLS)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the result in it")
    chosen = parser.parse_args()
    measuring = Measuring()
    with tempfile.TemporaryDirectory() as home:
        os.environ["AIRFLOW_HOME"] = home
        # The first of each loads what the others find in memory.
        started(process=False), started(process=True)
        found = {
            "thread": started(process=False),
            "process": started(process=True),
            "film": made(music=False),
            "with_music": made(music=True),
            "polls": polls_a_second(chosen.polls),
        }
    end(measuring.ended(found), parts, chosen.keep)


if __name__ == "__main__":
    main()
