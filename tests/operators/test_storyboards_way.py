"""The way of a storyboard from its operator to the wire and back is the one that CONTRIBUTING.md shows."""

from __future__ import annotations

import re
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
import requests

import airflow_video_creation.provider.errors as ours
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.submission.record_store import RecordStore
from airflow_video_creation.provider.models.request_model import RequestModel
from airflow_video_creation.provider.protocol import reply_errors
from airflow_video_creation.provider.protocol.calls import Call
from airflow_video_creation.provider.protocol.replies import read_job_id
from airflow_video_creation.provider.submission.decision import decide

ROOT = Path(ours.__file__).parents[1]
MAX_FILES = 16
ELSEWHERE = ("tests", ".venv", "build")
"""Where in this folder others' files lie; the environments of `make test-matrix` are in build."""
MOMENTS: dict[str, Any] = {
    "it is checked": RequestModel.read.__func__,
    "it is decided": decide,
    "a record is stored": RecordStore.intend,
    "the request is made": Call.request,
    "it is sent": requests.Session.send,
    "the reply is read": reply_errors.require_success,
    "the job id is read": read_job_id,
    "the answer is stored": RecordStore.keep,
}


@pytest.fixture
def way(emulator: Any, task: Any) -> dict[str, list[str]]:
    """For each moment, the files of ours that were on the stack as it first came, the outermost first."""
    seen: dict[str, list[str]] = {}
    codes: dict[CodeType, str] = {moment.__code__: name for name, moment in MOMENTS.items()}

    def watch(frame: FrameType, event: str, _: Any) -> None:
        name = codes.get(frame.f_code)
        if event != "call" or name is None or name in seen:
            return
        files = seen[name] = []
        caller: FrameType | None = frame
        while caller is not None:
            path = Path(caller.f_code.co_filename)
            if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] not in ELSEWHERE:
                files.insert(0, path.relative_to(ROOT).as_posix())
            caller = caller.f_back

    operator = CreateStoryboardOperator(
        task_id="t", storyboard={"videoName": "v", "scenes": [{"text": "A scene."}]}
    )
    context = task.context()
    threading.setprofile(watch)
    sys.setprofile(watch)
    try:
        operator.execute(context)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]  # how Python says to end it
    return seen


def shown() -> list[str]:
    """The files in the table of CONTRIBUTING.md."""
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = page.split("## A storyboard's way", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"^\| \d+ \| `([^`]+)`", section, re.MULTILINE)


def test_the_table_shows_the_files_that_it_passes_in_their_order(way: dict[str, list[str]]) -> None:
    assert [*way] == [*MOMENTS]
    assert shown() == passed(way)


def test_it_is_short(way: dict[str, list[str]]) -> None:
    assert len(passed(way)) <= MAX_FILES


def passed(way: dict[str, list[str]]) -> list[str]:
    return list(dict.fromkeys(file for files in way.values() for file in files))
