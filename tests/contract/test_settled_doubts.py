"""A submission in doubt is settled with a running service: by its list of jobs in any form, or by its key."""

from __future__ import annotations

import json
import time
from types import SimpleNamespace
from typing import Any

import pytest

from airflow_video_creation.emulator import Emulator
from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator

STORYBOARD = {"videoName": "Night", "videoDescription": "about it", "scenes": [{"text": "t"}]}
FIELDS = {"videoName": "request.name", "created_at": "started", "videoDescription": "request.text"}
BY_NAME: dict[str, str] = {}
BY_MARK = {"marker_field": "videoDescription"}
LISTS = [
    *(
        (extra, dialect)
        for extra in (BY_NAME, BY_MARK)
        for dialect in (
            *({"list_envelope": envelope} for envelope in ("data", "items", "plural")),
            {"list_fields": FIELDS},
        )
    ),
    # Without a mark a list that may go on proves nothing.
    (BY_MARK, {"list_envelope": "bare"}),
]


class Clock:
    """Real time, in which a sleep takes none."""

    def __init__(self) -> None:
        self.slept = 0.0

    def __call__(self) -> float:
        return time.time() + self.slept

    def sleep(self, seconds: float) -> None:
        self.slept += seconds


@pytest.fixture
def task() -> SimpleNamespace:
    """The task instance of a first try."""
    return SimpleNamespace(
        dag_id="d",
        run_id="r",
        task_id="t",
        map_index=-1,
        max_tries=0,
        try_number=1,
        task=SimpleNamespace(retries=0),
        xcom_push=lambda key, value: None,
        start_date=SimpleNamespace(timestamp=time.time),
    )


@pytest.fixture
def accepted(monkeypatch: pytest.MonkeyPatch, task: Any) -> Any:
    """Make a video with a service whose answers get lost; what it was asked for and has accepted, by operation."""

    def made(lost: str, operator: Any, *, extra: Any, **options: Any) -> tuple[Any, dict[str, int]]:
        with Emulator(instant=True, **options) as emulator:
            connection = json.loads(emulator.further_connection_json)
            connection["extra"] = {
                **{key: value for key, value in connection["extra"].items() if key != "marker_field"},
                **extra,
            }
            if not connection["extra"]["paths"]:
                del connection["extra"]["paths"]
            monkeypatch.setenv("AIRFLOW_CONN_VIDEO_CREATION_DEFAULT", json.dumps(connection))
            VideoCreationHook().create_storyboard({"videoName": "Another", "scenes": [{"text": "t"}]})
            emulator.admin.add_fault("reset", on=lost, when="after", nth=[1])
            clock = Clock()
            operator.clock, operator.sleep = clock, clock.sleep
            operator.hook = VideoCreationHook(clock=clock, sleep=clock.sleep)
            result = operator.execute({"ti": task})
            jobs = [job for job in emulator.admin.jobs() if job["video_name"] == "Night"]
            made = [str(job["kind"]) for job in jobs]
            return result, {kind: made.count(kind) for kind in set(made)}

    return made


@pytest.mark.parametrize(("extra", "dialect"), LISTS, ids=str)
def test_a_lost_answer_is_found_in_the_list(accepted: Any, dialect: Any, extra: Any) -> None:
    operator = CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD)
    job_id, jobs = accepted("storyboard", operator, extra=extra, dialect=dialect)
    assert job_id
    assert jobs == {"storyboard": 1}


def test_a_lost_answer_to_a_render_is_found_in_the_list(accepted: Any) -> None:
    operator = CreateVideoOperator(task_id="t", storyboard=STORYBOARD, poll_interval=0.1)
    video, jobs = accepted("render", operator, extra=BY_NAME)
    assert video["video_url"]
    assert jobs == {"storyboard": 1, "render": 1}


@pytest.mark.parametrize("lost", ["storyboard", "render"])
def test_what_is_sent_again_under_its_key_is_made_once(accepted: Any, lost: str) -> None:
    operator = CreateVideoOperator(task_id="t", storyboard=STORYBOARD, poll_interval=0.1)
    video, jobs = accepted(lost, operator, extra={"paths": {}}, idempotency_header="Idempotency-Key")
    assert video["video_url"]
    assert jobs == {"storyboard": 1, "render": 1}
