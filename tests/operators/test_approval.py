"""A video is rendered after a yes only; what is asked shows the preview, and the log does not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException, AirflowSkipException
from airflow.providers.standard.operators import hitl

from airflow_video_creation.operators.approval import ApproveVideoOperator
from airflow_video_creation.provider.errors import ConfigurationError, JobFailedError

try:
    from airflow.sdk.exceptions import TaskAwaitingInput as WAITING
except ImportError:  # below Airflow 3.3
    from airflow.providers.common.compat.sdk import TaskDeferred as WAITING

PREVIEW = "https://media.example.com/preview/1?signature=secret"


def event(choice: str, person: str | None = "Ada") -> dict[str, Any]:
    return {
        "chosen_options": [choice],
        "params_input": {},
        "responded_at": datetime(2026, 11, 21, tzinfo=UTC),
        "responded_by_user": {"id": "7", "name": person} if person else None,
        "timedout": person is None,
    }


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What Airflow is asked to show."""
    questions: list[dict[str, Any]] = []
    monkeypatch.setattr(hitl, "upsert_hitl_detail", lambda **question: questions.append(question))
    return questions


def ask(operator: ApproveVideoOperator) -> None:
    ti = SimpleNamespace(id="ti-1", xcom_push=lambda **_: None)
    operator.execute({"task_instance": ti, "ti": ti})


def test_the_question_shows_the_preview_and_rejects_by_default(
    connect: Any, service: Any, log: Any, asked: list[dict[str, Any]]
) -> None:
    connect(service.url)
    service.will(service.job("completed", preview=PREVIEW, render_settings={"a": 1}))
    with pytest.raises(WAITING):
        ask(ApproveVideoOperator(task_id="a", storyboard_job_id={"job_id": "j-1"}, subject="Render “x”?"))
    [question] = asked
    assert question["subject"] == "Render “x”?"
    assert question["body"].startswith(f"[Watch the preview](<{PREVIEW}>)")
    assert (question["options"], question["defaults"]) == (["Approve", "Reject"], ["Reject"])
    assert "signature" not in log()


def test_an_answer_is_waited_for_as_long_as_told(
    connect: Any, service: Any, asked: list[dict[str, Any]]
) -> None:
    connect(service.url)
    service.will(service.job("completed", preview=PREVIEW, render_settings={"a": 1}))
    operator = ApproveVideoOperator(task_id="a", storyboard_job_id="j-1", response_timeout=timedelta(hours=1))
    before = datetime.now(UTC)
    with pytest.raises(WAITING):
        ask(operator)
    ends = datetime.fromisoformat(operator.hitl_summary["timeout_datetime"])
    assert before <= ends - timedelta(hours=1) <= datetime.now(UTC)


@pytest.mark.parametrize(
    ("job", "kind"),
    [
        (("in-progress", {}), ConfigurationError),
        (("completed", {"videoURL": "https://v"}), ConfigurationError),
        (("failed", {}), JobFailedError),
    ],
)
def test_nobody_is_asked_about_a_job_without_a_preview(
    connect: Any, service: Any, asked: list[dict[str, Any]], job: Any, kind: Any
) -> None:
    connect(service.url)
    service.will(service.job(job[0], **job[1]))
    with pytest.raises(kind) as caught:
        ask(ApproveVideoOperator(task_id="a", storyboard_job_id="j-1"))
    assert isinstance(caught.value, AirflowFailException)
    assert asked == []


def test_a_yes_gives_the_job_to_render() -> None:
    operator = ApproveVideoOperator(task_id="a", storyboard_job_id={"job_id": "j-1", "state": "completed"})
    assert operator.execute_complete({}, event("Approve")) == "j-1"


@pytest.mark.parametrize(("person", "by"), [("Ada", "by Ada"), (None, "because nobody answered in time")])
def test_a_no_skips(person: str | None, by: str) -> None:
    operator = ApproveVideoOperator(task_id="a", storyboard_job_id="j-1")
    with pytest.raises(AirflowSkipException, match=f"rejected {by}, so it is not rendered"):
        operator.execute_complete({}, event("Reject", person))
