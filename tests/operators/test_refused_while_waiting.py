"""Whoever dies in the pause after a 429 has left no doubt, whatever was to be submitted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.operators.aws_connection import RegisterAwsConnectionOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.operators.voiceover import AddVoiceoverTrackOperator

from ..sample_requests import AWS_CONNECTION, VOICEOVER_TRACK

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}
STORYBOARDS, RENDERS = "/api/v1/video/storyboard", "/api/v1/video/render"
CONNECTIONS, TRACKS = "/serviceapis/v1/awsconnections", "/serviceapis/v1/voiceovers/tracks"
SUBMISSIONS: dict[str, tuple[Callable[[], Any], str, dict[str, Any]]] = {
    "storyboard": (
        lambda: CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD),
        STORYBOARDS,
        {"job_id": "s-1"},
    ),
    "render": (
        lambda: RenderVideoOperator(task_id="t", render_settings={"scenes": 1}),
        RENDERS,
        {"job_id": "r-1"},
    ),
    "storyboard of a video": (
        lambda: CreateVideoOperator(task_id="t", storyboard=STORYBOARD, deferrable=False),
        STORYBOARDS,
        {"job_id": "s-1"},
    ),
    "render of a video": (
        lambda: CreateVideoOperator(task_id="t", storyboard=STORYBOARD, deferrable=False),
        RENDERS,
        {"job_id": "r-1"},
    ),
    "connection": (
        lambda: RegisterAwsConnectionOperator(task_id="t", connection=AWS_CONNECTION),
        CONNECTIONS,
        {**AWS_CONNECTION, "connectionId": "c-1"},
    ),
    "voice": (lambda: AddVoiceoverTrackOperator(task_id="t", track=VOICEOVER_TRACK), TRACKS, {"id": 5}),
}


class Killed(BaseException):
    """The worker dies."""


@pytest.mark.parametrize(("make", "path", "accepted"), SUBMISSIONS.values(), ids=SUBMISSIONS.keys())
def test_a_task_that_dies_in_the_pause_after_a_429_submits_when_it_is_tried_again(
    ask: Any, task: Any, make: Callable[[], Any], path: str, accepted: dict[str, Any]
) -> None:
    def die(seconds: float) -> None:
        raise Killed

    ask.will("429", ask.reply(200, accepted), on=path)
    operator = make()
    operator.hook = VideoCreationHook(sleep=die)
    with pytest.raises(Killed):
        operator.execute(task.context())
    task.retry()

    assert make().execute(task.context())
    assert [seen.path for seen in ask.seen].count(path) == 2
