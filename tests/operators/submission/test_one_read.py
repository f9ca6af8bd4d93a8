"""A try asks Airflow for its records once, and checks its request once."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.operators.aws_connection import RegisterAwsConnectionOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.provider.models import Storyboard
from airflow_video_creation.provider.submission.stored_records import RECORDS_KEY, record_key

STORYBOARD = '{"videoName": "v", "scenes": [{"text": "t"}]}'
AWS = '{"name": "media", "awsAccountId": "000123456789", "awsRegion": "us-east-2", "enabled": true}'


def preview() -> str:
    """A storyboard job."""
    return VideoCreationHook().create_storyboard(STORYBOARD)


OPERATORS = {
    "storyboard": lambda: CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD),
    "render": lambda: RenderVideoOperator(task_id="t", storyboard_job_id=preview()),
    "video": lambda: CreateVideoOperator(task_id="t", storyboard=STORYBOARD, poll_interval=0.01),
    "registration": lambda: RegisterAwsConnectionOperator(task_id="t", connection=AWS),
}


@pytest.fixture
def reads(task: Any) -> list[str]:
    """The keys that the store was asked for."""
    asked: list[str] = []
    get = task.store.get

    def counted(key: str, default: Any = None) -> Any:
        asked.append(key)
        return get(key, default)

    task.store.get = counted
    return asked


@pytest.mark.parametrize("name", OPERATORS)
def test_the_records_are_read_once(emulator: Any, task: Any, reads: list[str], name: str) -> None:
    OPERATORS[name]().execute(task.context())
    assert len(reads) == 1

    task.retry()
    OPERATORS[name]().execute(task.context())
    assert len(reads) == 2


@pytest.mark.parametrize("name", ["storyboard", "video"])
def test_the_storyboard_is_checked_once(
    emulator: Any, task: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[Any] = []
    check = Storyboard.model_validate

    def counted(value: Any) -> Any:
        checked.append(value)
        return check(value)

    monkeypatch.setattr(Storyboard, "model_validate", counted)

    OPERATORS[name]().execute(task.context())

    assert len(checked) == 1


def test_the_records_of_release_0_1_0_are_resumed(emulator: Any, task: Any, submissions: Any) -> None:
    """It kept one key a stage; the worker of its try died, and the next try is one of this release."""
    made = OPERATORS["video"]().execute(task.context())
    for stage, record in task.store.values.pop(RECORDS_KEY)["records"].items():
        task.store.values[record_key(stage)] = record
    task.retry()

    assert OPERATORS["video"]().execute(task.context())["job_id"] == made["job_id"]
    assert (submissions(), submissions("render")) == (1, 1)
