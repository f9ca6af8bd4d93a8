"""What Airflow's log says at the end of a failed try: short lines that name what it was about, and what to do.

A person reads them at night, and knows nothing but them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import DAG, AirflowException

from airflow_video_creation.hooks.video_creation import VideoCreationHook
from airflow_video_creation.operators.approval import ApproveVideoOperator
from airflow_video_creation.operators.aws_connection import RegisterAwsConnectionOperator
from airflow_video_creation.operators.base.job import BaseJobOperator
from airflow_video_creation.operators.download import DownloadVideoOperator
from airflow_video_creation.operators.plan import PlanVideosOperator
from airflow_video_creation.operators.render import RenderVideoOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.operators.videos import CreateVideosOperator
from airflow_video_creation.operators.voiceover import AddVoiceoverTrackOperator
from airflow_video_creation.provider.message_lines import WIDTH
from airflow_video_creation.sensors.video_job import VideoJobSensor

from ..sample_requests import AWS_CONNECTION, STORYBOARD, VOICEOVER_TRACK
from ..told_errors import told
from .test_download import fill_the_disk

Make = Callable[..., Any]

CONNECTION = "connection 'video_creation_default'"
WHERE = rf"the host and extra paths of {CONNECTION}"
UNPAID = r"Nothing was made or paid by this call\."
DOUBT = r"may be paid for\..*Look at the service"

MADE: dict[str, Make] = {
    "storyboard": lambda folder, **more: CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD, **more),
    "render": lambda folder, **more: RenderVideoOperator(
        task_id="t", render_settings={"a": 1}, video_name="news", **more
    ),
    "video": lambda folder, **more: CreateVideoOperator(task_id="t", storyboard=STORYBOARD, **more),
    "videos": lambda folder, **more: CreateVideosOperator(
        task_id="t", storyboards=[STORYBOARD], destination=f"{folder}/", **more
    ),
}
REGISTERED: dict[str, Make] = {
    "aws": lambda folder: RegisterAwsConnectionOperator(task_id="t", connection=AWS_CONNECTION),
    "voice": lambda folder: AddVoiceoverTrackOperator(task_id="t", track=VOICEOVER_TRACK),
}
READ: dict[str, Make] = {
    "render by id": lambda folder: RenderVideoOperator(
        task_id="t", storyboard_job_id="j-1", video_name="news"
    ),
    "download": lambda folder: DownloadVideoOperator(
        task_id="t", job_id="j-1", destination=f"{folder}/v.mp4"
    ),
    "approval": lambda folder: ApproveVideoOperator(task_id="t", storyboard_job_id="j-1"),
}
PAID = MADE | REGISTERED
EVERY = PAID | READ
NAMED = {**dict.fromkeys(MADE, "news"), "render by id": "news"}
"""Whose video has a name."""


def says(operator: Any, task: Any, *words: str) -> str:
    """What is logged, which holds the words in any order, on lines that fit a screen."""
    with pytest.raises(AirflowException) as caught:
        operator.execute(task.context())
    lines = str(caught.value).splitlines()
    assert [line for line in lines if len(line) > WIDTH and " " in line.strip()] == []
    message = told(caught.value)
    for each in words:
        assert re.search(each, message, re.IGNORECASE), (each, message)
    return message


ANSWERS = {
    "401": (f"Check the password, extra user_id and token_prefix of {CONNECTION}", "", UNPAID),
    "402": (r"asks for payment \(402\).*Check the account's plan and credit", "", UNPAID),
    "403": (f"Check {WHERE}.*ask the service for the permission", "", UNPAID),
    "404": (WHERE, "Check the job id", UNPAID),
    "422": ("Correct the request and run it again", "", UNPAID),
    "429": ("Run fewer tasks at once, with an Airflow pool", "", UNPAID),
    "503": (r"503", "Try again later", DOUBT),
    "html": (WHERE, "a proxy may be answering", DOUBT),
    "hang": ("did not answer in time", "Try again later, or raise extra read_timeout", DOUBT),
    "refused": (f"connection refused by .*Check {WHERE}.*is up and reachable", "", r"Nothing was sent\."),
}
"""What the service does -> what every message says, what one of a read says, what one of a paid call says."""


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("name", EVERY)
def test_the_service_answers_so(
    name: str, answer: str, tmp_path: Path, connect: Any, service: Any, clock: Any, task: Any
) -> None:
    connect(service.url, read_timeout=0.1 if answer == "hang" else 10)
    service.will(answer if answer != "refused" else "503")
    if answer == "refused":
        service.stop_listening()
    operator = EVERY[name](tmp_path)
    operator.hook = VideoCreationHook(clock=clock.time, sleep=clock.sleep)

    every, read, paid = ANSWERS[answer]
    job = "j-1" if name in READ else ""
    says(operator, task, CONNECTION, NAMED.get(name, ""), job, every, paid if name in PAID else read)


@pytest.mark.parametrize(
    ("fields", "advice"),
    [
        ({"host": ""}, "host is empty.*Change the connection in Airflow under Admin > Connections"),
        ({"password": ""}, "password is empty.*Change the connection in Airflow"),
        ({"user_id": ""}, f"Set extra user_id of {CONNECTION}, or pass user_id= to the operator"),
        ({"verify": "/no/ca.pem"}, "set the connection's extra verify to the path of a PEM file"),
    ],
    ids=["host", "password", "user id", "CA file"],
)
@pytest.mark.parametrize("name", EVERY)
def test_a_connection_is_wrong(
    name: str, fields: Any, advice: str, tmp_path: Path, connect: Any, task: Any
) -> None:
    connect(**fields)
    # The task of many fails before it comes to any of them.
    video = "" if name == "videos" else NAMED.get(name, "")
    says(EVERY[name](tmp_path), task, CONNECTION, video, advice, r"Nothing was sent\.")


@pytest.mark.parametrize("name", EVERY)
def test_there_is_no_such_connection(name: str, tmp_path: Path, task: Any) -> None:
    operator = EVERY[name](tmp_path)
    operator.video_creation_conn_id = "nowhere"

    says(
        operator,
        task,
        "no Airflow connection 'nowhere': create it",
        r"connections add nowhere",
        "Nothing was sent",
    )


@pytest.mark.parametrize("name", EVERY)
def test_the_connection_is_of_another_type(
    name: str, tmp_path: Path, task: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(
        "AIRFLOW_CONN_VIDEO_CREATION_DEFAULT", '{"conn_type": "http", "host": "https://x.org"}'
    )

    says(EVERY[name](tmp_path), task, CONNECTION, "has the type 'http'.*change its type", "Nothing was sent")


def after(*upstream: str, operator: Callable[[], Any]) -> Any:
    with DAG("d"):
        made = operator()
        for task_id in upstream:
            PlanVideosOperator(task_id=task_id, storyboards=[]) >> made
    return made


@pytest.mark.parametrize("given", [None, "None", "", " \n"], ids=repr)
@pytest.mark.parametrize(
    ("field", "name"),
    [("storyboard", "storyboard"), ("storyboard", "video"), ("connection", "aws"), ("track", "voice")],
)
def test_a_request_that_a_template_made_of_nothing_says_where_to_look(
    name: str, field: str, given: Any, tmp_path: Path, connect: Any, task: Any
) -> None:
    connect()
    operator = after("write", operator=lambda: PAID[name](tmp_path))
    setattr(operator, field, given)

    what = "None" if given in (None, "None") else "empty"
    says(
        operator,
        task,
        CONNECTION,
        "nothing was sent",
        rf"is {what}\. Look at the upstream task 'write': was it skipped",
    )


@pytest.mark.parametrize(
    ("upstream", "look"),
    [
        ((), "Look at the task or template that it comes from: was a task skipped, or"),
        (
            ("write", "check"),
            "Look at the upstream tasks 'check', 'write': was one skipped, or did it return nothing?",
        ),
        (tuple(f"t{n}" for n in range(9)), "Look at the task or template that it comes from"),
    ],
    ids=["none", "two", "many"],
)
def test_it_names_the_upstream_tasks_where_they_are_few(
    upstream: tuple[str, ...], look: str, tmp_path: Path, connect: Any, task: Any
) -> None:
    connect()
    operator = after(*upstream, operator=lambda: CreateStoryboardOperator(task_id="t", storyboard="{{ x }}"))
    operator.storyboard = "None"

    assert look in says(operator, task)


@pytest.mark.parametrize("given", [None, "None"], ids=repr)
@pytest.mark.parametrize(("field", "name"), [("job_id", "download"), ("storyboard_job_id", "approval")])
def test_a_job_id_that_a_template_made_of_nothing_says_what_to_pass(
    name: str, field: str, given: Any, tmp_path: Path, connect: Any, task: Any
) -> None:
    connect()
    operator = READ[name](tmp_path)
    setattr(operator, field, given)

    says(
        operator,
        task,
        CONNECTION,
        "'None' cannot be the id of a job: pass what .*Was the task .* skipped, or",
    )


@pytest.mark.parametrize("given", [None, "None", ""], ids=repr)
def test_a_list_of_storyboards_that_is_nothing_says_where_to_look(
    given: Any, tmp_path: Path, connect: Any, task: Any
) -> None:
    connect()
    operator = MADE["videos"](tmp_path)
    operator.storyboards = given

    says(
        operator, task, CONNECTION, f"it is {given!r}.*Was the task that gives it skipped", "nothing was paid"
    )


JOBS = {
    "failed": (
        "failed",
        r"the service says: E17: no voice\..*Correct what it names and submit the job again",
    ),
    "failed silently": ("failed", "the service gives no reason.*Look at the job at the service"),
    "cleaned": ("cleaned", "removed by the service.*Submit the job again, and fetch its result sooner"),
    "running": ("in-progress", "wait for it first, with wait_for_completion=True or VideoJobSensor"),
    "empty": ("completed", "Look at the job at the service; when it .* a retry"),
}


@pytest.mark.parametrize("state", JOBS)
@pytest.mark.parametrize("name", READ)
def test_the_job_has_nothing_to_go_on_with(
    name: str, state: str, tmp_path: Path, connect: Any, service: Any, task: Any
) -> None:
    connect(service.url)
    word, advice = JOBS[state]
    error = {"error": {"code": "E17", "message": "no voice"}} if state == "failed" else {}
    service.will(service.job(word, **error))

    says(READ[name](tmp_path), task, CONNECTION, NAMED.get(name, ""), "job j-1", advice)


WAITED = MADE | {
    "sensor": lambda folder, **more: VideoJobSensor(task_id="t", job_id="j-1", deferrable=False, **more)
}
ENDS = {
    "failed": (
        "the service gives no reason",
        r"A retry or a clear of this task submits and pays for a new one",
    ),
    "cleaned": ("removed by the service", r"pay for,? a new one"),
    "in-progress": (
        "has not ended by its deadline",
        r"To wait for it again, put|Clear this task to wait for it",
    ),
    "404": (
        r"the service does not know it",
        r"is paid for, and may continue\. A retry of this task waits for it",
    ),
}
"""How the job ends -> what every message says, and what one of a task that pays says too."""


# What many videos in one task say of a lost job is what one says; their clock is the worker's.
@pytest.mark.parametrize(
    ("name", "end"), [(name, end) for name in WAITED for end in ENDS if (name, end) != ("videos", "404")]
)
def test_the_wait_ends_so(
    name: str,
    end: str,
    tmp_path: Path,
    connect: Any,
    service: Any,
    task: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connect(service.url)
    service.will(end)
    for path in ("/api/v1/video/storyboard", "/api/v1/video/render"):
        service.will(service.reply(200, {"job_id": "j-1"}), on=path)
    timeout = 0.3
    if end == "404":
        timeout, start = 1e6, time.time()
        for kind in (BaseJobOperator, VideoJobSensor):
            monkeypatch.setattr(kind, "clock", lambda self: start + (time.time() - start) * 1000)
    more = {"wait_for_completion": True} if name in ("storyboard", "render") else {}
    operator = WAITED[name](tmp_path, poll_interval=0.01, timeout=timeout, **more)

    every, paid = ENDS[end]
    says(operator, task, CONNECTION, NAMED.get(name, ""), "job j-1", every, paid if name in MADE else "")


@pytest.mark.parametrize("name", ["storyboard", "render", "video"])
def test_a_retry_does_not_know_whether_an_earlier_try_submitted(
    name: str, tmp_path: Path, connect: Any, service: Any, task: Any
) -> None:
    connect(service.url)
    service.will("reset")
    says(MADE[name](tmp_path), task, DOUBT)
    task.retry()

    says(
        MADE[name](tmp_path),
        task,
        CONNECTION,
        "news",
        r"try 1 \(its log may name the job\) began to submit at .*may be paid for\.",
        r"Nothing was sent again\. Look at the service\. If the job is there, put its id into the DAG",
    )


MEDIA = {
    "403": "read again for a fresh link, and that one is refused too.*Check whether this worker may reach",
    "404": "read again for a fresh link, and that one fails too.*Check the job at the service",
    "503": "Try again later",
    "html": r"is not an \.mp4 file.*Check the job at the service",
}


@pytest.mark.parametrize("answer", MEDIA)
def test_the_finished_video_cannot_be_fetched(answer: str, served: Any, tmp_path: Path, task: Any) -> None:
    served.will(answer, on="/media/v.mp4")
    operator = DownloadVideoOperator(task_id="t", job_id="r-1", destination=f"{tmp_path}/v.mp4")

    message = says(operator, task, CONNECTION, "job r-1", MEDIA[answer])
    assert "only-for-you" not in message


def test_the_disk_is_full(served: Any, tmp_path: Path, task: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("airflow_video_creation.hooks.delivery.media_download.download", fill_the_disk)
    operator = DownloadVideoOperator(task_id="t", job_id="r-1", destination=f"{tmp_path}/v.mp4")

    says(operator, task, CONNECTION, "job r-1", "No space left on device.*Make room there.*pays nothing")
