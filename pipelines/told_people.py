"""Tells people of a pipeline's runs: by Slack, by e-mail."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ..hooks.airflow.links import log_url
from ..notifications.night_summary import NightSummaryNotifier

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import BaseNotifier, Context

    from ..provider.pipelines.parts import Email, Tell

log = logging.getLogger(__name__)


class Words(NamedTuple):
    """What is told, as Jinja templates."""

    subject: str
    text: str
    html: str


Channel = Callable[[Words], "BaseNotifier"]
"""Makes the notifier of a channel. A DAG file does not: importing one may cost more than all the rest of it."""

SUMMARY = Words("{{ night.dag_id }}: {{ night.headline }}", "{{ night.text }}", "{{ night.html }}")
QUESTION = Words(
    "{{ dag.dag_id }}: {{ question.subject }}",
    "{{ dag.dag_id }}: {{ question.subject }} Answer here: {{ question.page }}",
    '<p>{{ question.subject | e }} <a href="{{ question.page | e }}">Answer in Airflow</a></p>',
)


def told_of_runs(tell: Tell) -> list[Callable[[Context], Any]]:
    """Callbacks that tell what came of a run.

    :param tell: whom to tell.
    """
    return [NightSummaryNotifier(partial(_send, channel, SUMMARY)) for channel in _channels(tell)]


def told_of_questions(tell: Tell) -> list[Callable[[Context], Any]]:
    """What tells that a video waits for an answer.

    :param tell: whom to tell.
    """
    return [partial(_send_question, channel) for channel in _channels(tell)]


def _channels(tell: Tell) -> list[Channel]:
    channels: list[Channel] = []
    if tell.slack_webhook_conn_id:
        channels.append(partial(_slack, tell.slack_webhook_conn_id))
    if tell.email:
        channels.append(partial(_email, tell.email))
    return channels


def _slack(conn_id: str, words: Words) -> BaseNotifier:
    from airflow.providers.slack.notifications.slack_webhook import SlackWebhookNotifier

    # To Slack <!channel> is a call to everybody, and the words of a service are not ours.
    text = "{% filter replace('<', '&lt;') %}" + words.text + "{% endfilter %}"
    notifier: BaseNotifier = SlackWebhookNotifier(slack_webhook_conn_id=conn_id, text=text)
    return notifier


def _email(email: Email, words: Words) -> BaseNotifier:
    from airflow.providers.smtp.notifications.smtp import SmtpNotifier

    notifier: BaseNotifier = SmtpNotifier(
        to=list(email.to),
        from_email=email.from_email,
        subject=words.subject,
        html_content=words.html,
        smtp_conn_id=email.smtp_conn_id,
    )
    return notifier


def _send(channel: Channel, words: Words, context: Context) -> None:
    channel(words)(context)


def _send_question(channel: Channel, context: Context) -> None:
    ti: Any = context["ti"]
    page = log_url(ti.dag_id, ti.run_id, ti.task_id, ti.map_index)
    told: Any = {**context, "question": {"subject": getattr(context["task"], "subject", ""), "page": page}}
    try:
        _send(channel, QUESTION, told)
    except Exception as error:
        # The question is in Airflow all the same.
        log.warning("Nobody could be told that a video waits for an answer: %s", type(error).__name__)
