"""Airflow replaces a try that is alive: the store is closed to it, and its paid job is found all the same."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import Variable

from airflow_video_creation.operators.aws_connection import RegisterAwsConnectionOperator
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.operators.submission.submissions import Submissions
from airflow_video_creation.provider.errors import AmbiguousSubmissionError, TryReplacedError
from airflow_video_creation.provider.submission.adoption import Adoption
from airflow_video_creation.provider.submission.submission_request import SubmissionRequest

STORYBOARD = {"videoName": "v", "scenes": [{"text": "t"}]}
AWS = {"name": "media", "awsAccountId": "000123456789", "awsRegion": "us-east-2", "enabled": True}
ADOPT = Adoption(argument="adopt_job_id")


class Log:
    def __init__(self) -> None:
        self.errors: list[str] = []

    def error(self, text: str, *given: Any) -> None:
        self.errors.append(text % given)

    def warning(self, text: str, *given: Any) -> None:
        pass

    info = warning


def replaced_while_it_posts(task: Any, log: Any = None, sleep: Any = None) -> None:
    """A try that gets its job's id when Airflow listens to it no more."""

    of_task = Submissions(task.context(), log or Log(), sleep=sleep)
    adopt = replace(ADOPT, run_id=task.ti.run_id, map_index=task.ti.map_index)
    request = SubmissionRequest("create storyboard 'v'", adopt=adopt)
    intent = of_task.decide(request).record

    def send() -> None:
        with of_task.sending(request, intent) as sending:
            task.replaced()
            sending.accepted("j-1")

    with pytest.raises(TryReplacedError, match="Job j-1 continues at the service"):
        send()


def storyboard(task: Any, **arguments: Any) -> Any:
    return CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD, **arguments).execute(task.context())


def test_it_stops_at_once_and_logs_one_line_to_paste(task: Any, variables: Any) -> None:
    log, slept = Log(), []

    replaced_while_it_posts(task, log, slept.append)

    assert slept == []
    [error] = log.errors
    assert "accepted as j-1, which is paid for" in error
    assert """put adopt_job_id="{{ {'manual__1': 'j-1'}.get(run_id) }}" into the DAG""" in error


def test_the_line_of_a_mapped_task_is_for_its_map_index(mapped: Any, variables: Any) -> None:
    log = Log()

    replaced_while_it_posts(mapped, log)

    line = """adopt_job_id="{{ {('manual__1', 2): 'j-1'}.get((run_id, ti.map_index)) }}\""""
    assert line in log.errors[0]


def test_the_next_try_goes_on_from_the_job(
    emulator: Any, task: Any, variables: Any, submissions: Any
) -> None:
    replaced_while_it_posts(task)
    task.next_try()

    assert storyboard(task) == "j-1"
    assert submissions() == 0
    assert task.record()["job_id"] == "j-1"
    assert variables == {}


def test_what_was_left_is_of_that_submission_alone(emulator: Any, task: Any, variables: Any) -> None:
    replaced_while_it_posts(task)
    [name] = variables
    variables[name] = json.dumps(json.loads(variables[name]) | {"begun_at": 5.0})
    task.next_try()

    with pytest.raises(AmbiguousSubmissionError):
        storyboard(task)


def test_the_next_try_says_where_it_found_the_job(emulator: Any, task: Any, variables: Any, log: Any) -> None:
    replaced_while_it_posts(task)
    task.next_try()
    storyboard(task)

    assert "Found job j-1 in the Airflow Variable that an earlier try left" in log()


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"state": "failed"}, id="failed"),
        pytest.param({"state": "refused"}, id="refused"),
        pytest.param({"state": "refused", "job_id": None}, id="refused, without a job"),
        pytest.param({"state": "intent"}, id="not submitted"),
        pytest.param({"state": "bogus"}, id="unknown state"),
        pytest.param({"state": ["submitted"]}, id="a list of states"),
        pytest.param({"job_id": ["x"]}, id="a list of ids"),
        pytest.param({"job_id": 5}, id="a number"),
        pytest.param({"job_id": " "}, id="a blank id"),
        pytest.param({"reply": "text"}, id="a reply that is no object"),
        pytest.param({"generation": 9}, id="another generation"),
    ],
)
def test_a_variable_that_holds_no_answer_leaves_the_doubt(
    emulator: Any, task: Any, variables: Any, submissions: Any, changed: dict[str, Any]
) -> None:
    replaced_while_it_posts(task)
    [name] = variables
    variables[name] = json.dumps(json.loads(variables[name]) | changed)
    task.next_try()

    with pytest.raises(AmbiguousSubmissionError):
        storyboard(task)
    assert submissions() == 0
    assert task.record()["state"] == "intent"


@pytest.mark.parametrize("state", ["submitted", "completed"])
def test_of_a_variable_only_the_job_and_its_reply_are_taken(
    emulator: Any, task: Any, variables: Any, state: str
) -> None:
    replaced_while_it_posts(task)
    [name] = variables
    intent = task.record()
    forged = {"state": state, "subject": "video 'x'", "digests": {}, "webhook": "c", "adopted": "j-1"}
    variables[name] = json.dumps(json.loads(variables[name]) | forged)
    task.next_try()

    assert storyboard(task) == "j-1"
    assert task.record() == intent | {"state": "submitted", "job_id": "j-1"}


def test_a_registration_gives_its_reply_all_the_same(
    hook: Any, requests_mock: Any, task: Any, variables: Any
) -> None:
    def answered(*_: Any) -> dict[str, str]:
        task.replaced()
        return {"connectionId": "c-1"}

    posted = requests_mock.post("https://video.example.com/serviceapis/v1/awsconnections", json=answered)
    operator = RegisterAwsConnectionOperator(task_id="t", connection=AWS)
    operator.hook = hook
    with pytest.raises(TryReplacedError):
        operator.execute(task.context())
    task.next_try()

    assert operator.execute(task.context()) == {"connectionId": "c-1"}
    assert posted.call_count == 1


def test_where_airflow_takes_no_variable_the_next_try_is_in_doubt(
    emulator: Any, task: Any, variables: Any, monkeypatch: Any
) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise PermissionError

    monkeypatch.setattr(Variable, "set", refused)
    replaced_while_it_posts(task)
    task.next_try()

    with pytest.raises(AmbiguousSubmissionError):
        storyboard(task)


def test_variables_that_cannot_be_read_leave_the_doubt(
    emulator: Any, task: Any, variables: Any, monkeypatch: Any
) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise PermissionError

    replaced_while_it_posts(task)
    task.next_try()
    monkeypatch.setattr(Variable, "get", refused)

    with pytest.raises(AmbiguousSubmissionError):
        storyboard(task)


def test_a_variable_that_cannot_be_deleted_hurts_nobody(
    emulator: Any, task: Any, variables: Any, monkeypatch: Any
) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise PermissionError

    replaced_while_it_posts(task)
    task.next_try()
    monkeypatch.setattr(Variable, "delete", refused)

    assert storyboard(task) == "j-1"


def test_a_try_that_was_replaced_before_it_sent_sends_nothing(
    emulator: Any, task: Any, submissions: Any, variables: Any
) -> None:
    task.replaced()
    with pytest.raises(TryReplacedError, match="This try sent nothing"):
        storyboard(task)
    task.next_try()

    assert storyboard(task)
    assert submissions() == 1


def test_a_refusal_is_told_as_such_by_a_replaced_try_too(emulator: Any, task: Any, variables: Any) -> None:
    emulator.admin.add_fault("status", on="storyboard", status=400)
    operator = CreateStoryboardOperator(task_id="t", storyboard=STORYBOARD)
    send = operator.hook.submit

    def replaced(*given: Any, **more: Any) -> str:
        task.replaced()
        return send(*given, **more)

    operator.hook.submit = replaced
    with pytest.raises(Exception, match="400"):
        operator.execute(task.context())


def test_a_job_that_a_person_adopted_is_left_for_nobody(emulator: Any, task: Any, variables: Any) -> None:
    task.replaced()
    with pytest.raises(TryReplacedError):
        storyboard(task, adopt_job_id="{{ 'j-9' }}")
    assert variables == {}
