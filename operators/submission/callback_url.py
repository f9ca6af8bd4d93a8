"""The URL that a task asks the service to call when the job of one submission has ended."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from airflow.sdk.log import mask_secret

from .adopting import map_index_of

if TYPE_CHECKING:
    import logging

    from ...hooks.video_creation import VideoCreationHook
    from ...provider.connection.profile import ServiceProfile
    from ...provider.submission.paid_request import PaidRequest
    from ...provider.submission.record import Submission
    from ...provider.submission.submission_request import SubmissionRequest


def asking_for_callback(
    hook: VideoCreationHook,
    ti: Any,
    request: SubmissionRequest,
    intent: Submission,
    paid: PaidRequest[str],
    log: logging.Logger | Any,
) -> tuple[PaidRequest[str], Submission]:
    """A request that asks the service to tell Airflow of its job's end, where the connection says so, and its intent.

    :param hook: the hook of the task's connection.
    :param ti: the task instance.
    :param request: what is submitted.
    :param intent: its record.
    :param paid: what is about to be sent; if its author names a webhook, it stays as it is.
    :param log: the task's log.
    """
    if paid.names_webhook:
        return paid, intent
    conn_id = hook.video_creation_conn_id
    url = submission_webhook(
        hook.profile, ti, request, intent, conn_id=conn_id, user_id=hook.user_id, log=log
    )
    return (paid.with_webhook(url) if url else paid), replace(intent, webhook=conn_id if url else None)


def submission_webhook(
    profile: ServiceProfile,
    ti: Any,
    request: SubmissionRequest,
    record: Submission,
    *,
    conn_id: str,
    user_id: str | None,
    log: logging.Logger | Any,
) -> str | None:
    """The URL for a submission that is about to be sent, masked in the task's log; None if none is sent.

    :param profile: the connection's profile.
    :param ti: the task instance.
    :param request: what is submitted.
    :param record: its intent.
    :param conn_id: the connection.
    :param user_id: the task's own; the receiver knows only the connection's, so a task with another one gets no URL.
    :param log: the task's log, which says when the URL is too long to be sent.
    """
    if request.kind is None or not profile.callback_base_url or not profile.webhook_secret:
        return None
    if user_id and user_id != profile.user_id:
        return None
    from ...provider.webhooks.webhook_url import Submitter, webhook_url

    submitter = Submitter(
        conn_id=conn_id,
        kind=request.kind,
        dag_id=ti.dag_id,
        run_id=ti.run_id,
        task_id=ti.task_id,
        map_index=map_index_of(ti),
        generation=record.generation,
        stage=request.stage,
        begun_at=record.begun_at,
    )
    url = webhook_url(profile.callback_base_url, profile.webhook_secret, submitter)
    if len(url) > profile.webhook_max_length:
        log.warning(
            "The callback URL has %d characters, but the connection allows only %d (webhook_max_length). It is left "
            "out, and Airflow polls instead.",
            len(url),
            profile.webhook_max_length,
        )
        return None
    mask_secret(url.rpartition("/")[2])
    return url
