"""What Airflow keeps about a job whose end the service has reported: by the receiver, for the task and its waits.

The task alone writes its submission record, the receiver alone the callback beside it, so that neither overwrites what
the other knows.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from typing import Any

from ..stored_dataclass import thawed_strictly
from ..submission.record import Submission
from .webhook_url import Submitter, WebhookRefusedError

CALLBACK_KEY = "video_creation.callback"
"""The key of the callback in the task state store, beside the record."""
CALLED_BACK_PREFIX = "video_creation.called_back."
"""The key of the XCom that wakes the waits for a job begins so; the job's id follows."""
MAX_JOB_ID = 200
"""Characters of the longest job id that an XCom key contains unchanged (ours)."""
MAX_UNPROVEN_JOB_ID = 1000
"""Characters of the longest job id that a call alone can name (ours)."""
VERSION = 1


@dataclass(frozen=True)
class Callback:
    """That the service has reported the end of a job of one submission; JSON with ``to_json``.

    :param begun_at: of the submission's record, to which the URL belonged that was called.
    :param job_id: the job, as it was read at the service.
    :param announced: whether the asset event of its end was made.
    :param at: epoch seconds of the call that marked last.
    :param by: tells that call from others of the same time; empty when it is done.
    :param version: of this form.
    """

    begun_at: float
    job_id: str
    announced: bool = False
    at: float = 0.0
    by: str = ""
    version: int = VERSION

    def to_json(self) -> dict[str, Any]:
        """The callback as the store keeps it."""
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Any) -> Callback | None:
        """The callback in the store; None when there is none that can be understood.

        :param stored: a JSON value, perhaps of another release: unknown keys are ignored.
        """
        found = thawed_strictly(cls, stored)
        return found if found and found.job_id else None


@dataclass(frozen=True)
class NamedJob:
    """The job that a call is about.

    :param job_id: its id.
    :param of_intent: whether the record is still an intent, so that only the call names the job: it must be read at
        the service before it is believed.
    """

    job_id: str
    of_intent: bool


def callback_key(stage: str = "") -> str:
    """The key of a submission's callback in the task state store.

    :param stage: of a task that makes several submissions.
    """
    return f"{CALLBACK_KEY}.{stage}" if stage else CALLBACK_KEY


def called_back_xcom_key(job_id: str) -> str:
    """The key of the XCom that wakes the waits for a job.

    :param job_id: any text; a long one is named by its digest.
    """
    if len(job_id) > MAX_JOB_ID:
        job_id = f"sha256-{hashlib.sha256(job_id.encode('utf-8', 'surrogatepass')).hexdigest()}"
    return f"{CALLED_BACK_PREFIX}{job_id}"


def named_job(record_json: Any, submitter: Submitter, payload_job_id: str | None) -> NamedJob:
    """The job that a call is about, by the task's record.

    | the record                             | the call's job id      | it is about              |
    |----------------------------------------|------------------------|--------------------------|
    | none, refused, of an older generation  | any                    | refused: ``task``        |
    | or submission, or of another connection|                        |                          |
    | has a job                              | the same, or none      | that job                 |
    | has a job                              | another                | refused: ``job``         |
    | intent                                 | any                    | the call's job, unproven |
    | intent                                 | none, or no readable   | refused: ``job``         |

    :param record_json: the record in the task state store, see ``submission.stored_records``.
    :param submitter: whom the verified URL names.
    :param payload_job_id: what the payload says; None for none.
    :raises WebhookRefusedError: ``task`` or ``job``.
    """
    record = Submission.from_json(record_json, submitter.generation)
    if (
        record is None
        # A clear of a task that makes many videos keeps its jobs; another submission has another ``begun_at``.
        or record.generation < submitter.generation
        or record.begun_at != submitter.begun_at
        or record.webhook != submitter.conn_id
        or (record.state != "intent" and not record.job_id)
    ):
        raise WebhookRefusedError("task")
    if record.job_id:
        if payload_job_id and payload_job_id != record.job_id:
            raise WebhookRefusedError("job")
        return NamedJob(record.job_id, of_intent=False)
    if not (payload_job_id and payload_job_id.isprintable() and len(payload_job_id) <= MAX_UNPROVEN_JOB_ID):
        raise WebhookRefusedError("job")
    return NamedJob(payload_job_id, of_intent=True)


def completed_record(record: Submission, callback: Callback | None) -> Submission:
    """The record with the job that a callback names, where it is an intent and the callback is of this submission.

    :param record: in the store.
    :param callback: beside it.
    """
    if record.state != "intent" or callback is None or callback.begun_at != record.begun_at:
        return record
    return record.accepted(callback.job_id)
