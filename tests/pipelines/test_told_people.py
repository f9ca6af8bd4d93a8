"""Whom a pipeline tells of its runs, and of videos that wait for an answer."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, ClassVar

import pytest
from airflow.providers.common.compat.sdk import DAG, BaseNotifier

from airflow_video_creation.pipelines.told_people import told_of_questions, told_of_runs
from airflow_video_creation.provider.pipelines.parts import Tell

MAIL = {"email": {"to": ["a@example.com", "b@example.com"], "from_email": "airflow@example.com"}}


class SmtpNotifier(BaseNotifier):
    """Takes the place of the one that sends."""

    template_fields = ("subject", "html_content")
    sent: ClassVar[list[dict[str, Any]]] = []

    def __init__(self, *, subject: str, html_content: str, **given: Any) -> None:
        super().__init__()
        self.subject = subject
        self.html_content = html_content
        self.given = given

    def notify(self, context: Any) -> None:
        self.sent.append({"subject": self.subject, "html": self.html_content, **self.given})


class Away(SmtpNotifier):
    """The mail server does not answer."""

    def notify(self, context: Any) -> None:
        raise ConnectionError("no answer")


class Named:
    """What a callback's context holds of a task instance, or of a task."""

    def __init__(self, **names: Any) -> None:
        self.__dict__.update(names)


def mail_by(monkeypatch: pytest.MonkeyPatch, notifier: type[BaseNotifier]) -> None:
    module: Any = ModuleType("airflow.providers.smtp.notifications.smtp")
    module.SmtpNotifier = notifier
    monkeypatch.setitem(sys.modules, module.__name__, module)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The e-mails that were sent."""
    mail_by(monkeypatch, SmtpNotifier)
    SmtpNotifier.sent.clear()
    return SmtpNotifier.sent


@pytest.fixture
def question() -> dict[str, Any]:
    ti = Named(dag_id="news", run_id="r-1", task_id="approved_video.approval", map_index=2)
    return {"dag": DAG("news", schedule=None), "ti": ti, "task": Named(subject="Render “ferry & more”?")}


def test_nobody_is_told_unless_the_settings_say_so() -> None:
    assert told_of_runs(Tell()) == []
    assert told_of_questions(Tell()) == []


def test_a_run_that_failed_is_told_by_e_mail(sent: list[dict[str, Any]]) -> None:
    [told] = told_of_runs(Tell.model_validate(MAIL))
    told(
        {
            "dag": DAG("news", schedule=None),
            "run_id": "r-1",
            "reason": "task_failure",
            "ti": None,
        }
    )

    [mail] = sent
    assert mail["to"] == ["a@example.com", "b@example.com"]
    assert (mail["from_email"], mail["smtp_conn_id"]) == ("airflow@example.com", "smtp_default")
    assert mail["subject"].startswith("news: The run failed.")
    assert "/dags/news/runs/r-1/plugin/video_creation_run" in mail["html"]


def test_a_video_that_waits_for_an_answer_is_told_with_the_address_of_its_task(
    sent: list[dict[str, Any]], question: Any
) -> None:
    [ask] = told_of_questions(Tell.model_validate(MAIL))
    ask(question)

    [mail] = sent
    assert mail["subject"] == "news: Render “ferry & more”?"
    assert "/dags/news/runs/r-1/tasks/approved_video.approval/mapped/2" in mail["html"]
    assert "ferry &amp; more" in mail["html"]


def test_a_mail_server_that_is_away_does_not_take_the_question_back(
    monkeypatch: pytest.MonkeyPatch, question: Any, caplog: pytest.LogCaptureFixture
) -> None:
    mail_by(monkeypatch, Away)
    [ask] = told_of_questions(Tell.model_validate(MAIL))
    ask(question)

    assert "Nobody could be told that a video waits for an answer: ConnectionError" in caplog.text


def test_the_notifier_of_the_installed_provider_takes_what_is_given() -> None:
    notifications = pytest.importorskip("airflow.providers.smtp.notifications.smtp")
    from airflow_video_creation.pipelines.told_people import SUMMARY, _email

    email = Tell.model_validate(MAIL).email
    assert email
    notifier = _email(email, SUMMARY)

    assert isinstance(notifier, notifications.SmtpNotifier)
    assert notifier.subject == "{{ night.dag_id }}: {{ night.headline }}"
