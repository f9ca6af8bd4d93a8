"""Below Airflow 3.3 a folder keeps the records, and tries that run at once pay for nothing twice."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation.operators.aws_connection import RegisterAwsConnectionOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.video import CreateVideoOperator
from airflow_video_creation.provider.errors import (
    AmbiguousSubmissionError,
    ConfigurationError,
    SubmissionRecordError,
    TryReplacedError,
)
from airflow_video_creation.provider.submission.stored_records import RECORD_KEY

from ...forked_python import ForkedPython, needs_forked_python
from ...told_errors import raises_telling

SETTING = "AIRFLOW__VIDEO_CREATION__RECORD_FOLDER"
STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}
AWS = {"name": "media", "awsAccountId": "000123456789", "awsRegion": "us-east-2", "enabled": True}


def storyboard(task: Any, **arguments: Any) -> Any:
    return CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD, **arguments).execute(task.context())


def another_try(task: Any, **arguments: Any) -> Callable[[], Any]:
    """The try that Airflow puts in the place of the one that runs."""

    def run() -> Any:
        task.retry()
        return storyboard(task, **arguments)

    return run


def test_a_retry_on_any_worker_that_sees_the_folder_gives_the_job(
    emulator: Any, make_task: Any, submissions: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SETTING, str(tmp_path))
    task = make_task(store=False)
    job_id = storyboard(task)
    task.retry()
    assert storyboard(task) == job_id
    task.clear()
    assert storyboard(task) != job_id
    assert submissions() == 2


DYING = """
import json, os
from types import SimpleNamespace
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.hooks.records.record_folder import RecordFolder

moment, ti = {moment!r}, SimpleNamespace(**json.loads({ti!r}), task=SimpleNamespace(retries=2))
keep = RecordFolder.set

def dying(self, key, value):
    if moment == "before " + value["state"]:
        os._exit(9)
    keep(self, key, value)
    if moment == "after " + value["state"]:
        os._exit(9)

RecordFolder.set = dying
CreateStoryboardOperator(task_id="t", storyboard={storyboard}).execute(dict(ti=ti))
"""
FIELDS = ("dag_id", "run_id", "task_id", "map_index", "max_tries", "try_number")


@needs_forked_python
@pytest.mark.parametrize(
    ("moment", "doubt", "accepted"),
    [
        ("before intent", False, 1),
        ("after intent", True, 0),
        ("before submitted", True, 1),
        ("after submitted", False, 1),
    ],
)
def test_a_process_that_dies_leaves_what_its_retry_must_know(
    forked_python: ForkedPython,
    emulator: Any,
    make_task: Any,
    submissions: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    moment: str,
    doubt: bool,
    accepted: int,
) -> None:
    monkeypatch.setenv(SETTING, str(tmp_path))
    task = make_task(store=False)
    ti = json.dumps({name: getattr(task.ti, name) for name in FIELDS})
    died = forked_python.run(DYING.format(moment=moment, ti=ti, storyboard=STORYBOARD))
    assert died.status == 9, died.printed
    task.retry()
    if doubt:
        with raises_telling(AmbiguousSubmissionError, r"try 1 .* began to submit at .*adopt_job_id="):
            storyboard(task)
    else:
        assert storyboard(task)
    assert submissions() == accepted


def test_a_try_that_another_one_has_overtaken_sends_nothing(
    emulator: Any, recorded: Any, submissions: Any
) -> None:
    """Whichever is the later one: both have read before either stores an intent."""
    recorded.store.meanwhile["read"] = another_try(recorded)
    with pytest.raises(TryReplacedError, match="This try sent nothing"):
        storyboard(recorded)
    assert submissions() == 1
    recorded.retry()
    assert storyboard(recorded) == recorded.store.values[RECORD_KEY]["job_id"]
    assert submissions() == 1


def test_the_answer_to_a_replaced_try_is_kept_though_the_next_one_was_in_doubt(
    emulator: Any, recorded: Any, submissions: Any
) -> None:
    def next_try() -> None:
        with pytest.raises(AmbiguousSubmissionError):
            another_try(recorded)()

    recorded.store.meanwhile["intent"] = next_try
    job_id = storyboard(recorded)
    recorded.retry()
    assert storyboard(recorded) == job_id
    assert submissions() == 1


def test_a_replaced_try_leaves_the_job_alone_that_another_one_submitted_as_it_was_told_to(
    emulator: Any, recorded: Any, submissions: Any, variables: Any, log: Any
) -> None:
    found = []
    recorded.store.meanwhile["intent"] = lambda: found.append(
        another_try(recorded, on_ambiguous="resubmit")()
    )
    with pytest.raises(TryReplacedError):
        storyboard(recorded)
    assert "which is paid for" in log()
    recorded.retry()
    assert storyboard(recorded) == found[0]
    assert submissions() == 2


def test_each_stage_and_each_registration_is_recorded(
    emulator: Any, recorded: Any, submissions: Any, run: Any
) -> None:
    emulator.admin.add_fault("status", on="render", status=400, nth=[1])

    def make(deferrable: bool) -> Any:
        return CreateVideoOperator(
            task_id="t", storyboard=STORYBOARD, deferrable=deferrable, poll_interval=0.1
        )

    with pytest.raises(Exception, match="400"):
        run(make, recorded)
    recorded.retry()
    assert run(make, recorded)["video_url"]
    assert (submissions(), submissions("render")) == (1, 1)

    recorded.ti.task_id = "register"
    register = RegisterAwsConnectionOperator(task_id="register", connection=AWS)
    registered = register.execute(recorded.context())
    recorded.retry()
    assert register.execute(recorded.context()) == registered


def test_a_team_that_upgrades_airflow_in_the_middle_of_a_night_pays_nothing_twice(
    emulator: Any, recorded: Any, make_task: Any, submissions: Any
) -> None:
    job_id = storyboard(recorded)
    upgraded = make_task()
    upgraded.retry()
    assert storyboard(upgraded) == job_id
    assert submissions() == 1


def test_no_callback_is_asked_for_which_nobody_takes_in(ask: Any, sent: Any, recorded: Any) -> None:
    assert storyboard(recorded) == "s-1"
    assert sent() == [None]


@pytest.mark.parametrize(
    "folder", ["records", "/nowhere/to/be/found", "file://records", "s3://c@bucket/records", "odd://bucket"]
)
def test_a_folder_that_cannot_be_used_is_named_and_nothing_is_sent(
    emulator: Any, make_task: Any, submissions: Any, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.setenv(SETTING, folder)
    with raises_telling(
        (SubmissionRecordError, ConfigurationError),
        r"(?i)\[video_creation\] record_folder .*nothing was sent now",
    ) as told:
        storyboard(make_task(store=False))
    # A disk may be mounted by the time of a retry; what is written wrongly stays so.
    assert isinstance(told.value, SubmissionRecordError) == (folder == "/nowhere/to/be/found")
    assert submissions() == 0


def test_without_a_folder_the_doubt_names_the_setting(emulator: Any, make_task: Any) -> None:
    task = make_task(store=False)
    storyboard(task)
    task.retry()
    with pytest.raises(AmbiguousSubmissionError, match=r"\[video_creation\] record_folder"):
        storyboard(task)


@pytest.mark.parametrize("gone", ["the record", "its folder"])
def test_a_record_that_a_clean_up_took_meanwhile_is_nobody_elses(
    emulator: Any, make_task: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: str
) -> None:
    """While the service answered; what it accepted is recorded all the same, and paid for once."""
    monkeypatch.setenv(SETTING, str(tmp_path))
    task = make_task(store=False)
    operator = CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD)
    submit = operator.hook.submit

    def cleaned_up(*given: Any, **more: Any) -> Any:
        job_id = submit(*given, **more)
        if gone == "the record":
            [file] = tmp_path.rglob("*.json")
            file.unlink()
        else:
            shutil.rmtree(next(tmp_path.iterdir()))
        return job_id

    operator.hook.submit = cleaned_up
    job_id = operator.execute(task.context())
    task.retry()

    assert storyboard(task) == job_id
