"""What a task does when it is asked to submit and finds the record of an earlier try.

| record found                    | what the task does                                               |
|---------------------------------|------------------------------------------------------------------|
| any, and another job to adopt   | attach to the adopted job; nothing is sent                       |
| none can be kept, and a retry   | stop: the submission is in doubt; with ``resubmit`` submit again |
| none, or of another generation  | submit                                                           |
| refused                         | submit                                                           |
| failed                          | submit again                                                     |
| submitted, completed            | attach to its job; nothing is sent                               |
| the same, of another subject    | stop, if the task is mapped; nothing is sent                     |
| intent, and a callback of it    | as submitted, with the job that the callback names               |
| intent, and a record left of it | as submitted: a try that Airflow had replaced could leave its id |
| intent, and the service's list | as submitted, with the job that it shows; as refused, where it   |
| shows it (``doubt``)    | shows that there is none                                         |
| intent, and the service makes   | send it again under its key, unless another subject is asked for |
| nothing twice under its key     |                                                                  |
| intent                          | stop: the submission is in doubt; with ``resubmit`` submit again |

The first row that fits is taken. A subject is the video's name, or a render's storyboard job: a mapped task whose list
has changed would otherwise give one video for another. A request so wrong that it has no name is another subject. An
adopted job is taken whatever it makes.

A callback is what the service told Airflow's receiver of this very submission (``webhooks.callback``).
A job that is lost from sight has not failed: it may go on and be paid for, so a retry looks for it again.

Airflow does not tell a task that it was cleared: ``max_tries`` does, as the generation, and may stay the same where
``retries`` was changed, or a running task was cleared. The run's ``clear_number`` rises with a clear of *any* of its
tasks, so it proves nothing: the job is attached to, which pays for nothing, and the log says what to do for a new one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .messages import NOTHING_KEPT, attached, died_in_doubt, in_doubt, submitted_another
from .record import Submission
from .request_digests import changes, digests_of
from .submission_request import SubmissionRequest
from .task_try import TaskTry


@dataclass(frozen=True)
class Submit:
    """Send the request. ``why`` is for the log, None for a first submission.

    A record with an identity is that of a request which may have been accepted, and is sent again under its key.
    """

    record: Submission
    why: str | None = None


@dataclass(frozen=True)
class Attach:
    """Send nothing: the job of the record is there. ``why`` is for the log."""

    record: Submission
    why: str


def decide(
    found: Submission | None,
    request: SubmissionRequest,
    task: TaskTry,
    now: float,
    *,
    is_made_once: bool = False,
    seen: str | None = None,
) -> Submit | Attach:
    """What a task does, by the table above.

    :param found: the record in the store, with the answer to it that was found elsewhere.
    :param request: what it is asked to submit.
    :param task: what it knows of itself.
    :param now: epoch seconds.
    :param is_made_once: whether the service makes nothing twice that is sent again under the record's key.
    :param seen: what was seen at the service of an intent, in a sentence; None where nobody looked.
    :raises AmbiguousSubmissionError: an earlier try may have submitted, and died before it knew.
    :raises AnotherSubjectError: an earlier try of a mapped task submitted something else.
    """
    digests = digests_of(request.body)
    first = Submission(
        task.generation,
        "intent",
        now,
        now if request.started_at is None else request.started_at,
        digests=digests,
        subject=request.subject.text,
        clear_number=task.clear_number,
        try_number=task.number,
    )
    of_now = found if found and found.generation == task.generation else None
    again = replace(first, started_at=now, adopted=of_now.adopted if of_now else None)
    adopt = request.adopt
    if adopts(of_now, request) and adopt.job_id:
        adopted = replace(first.accepted(adopt.job_id), adopted=adopt.job_id)
        return Attach(adopted, adopt.why_attached())
    if not task.keeps_records and task.is_retry and task.on_ambiguous != "resubmit":
        raise in_doubt(request.operation, NOTHING_KEPT, adopt.how_to_go_on(keeps_records=False))
    if found is None:
        return Submit(first)
    if of_now is None:
        if found.state == "refused":
            return Submit(first, "This task was cleared; submitting now")
        about = f"Job {found.job_id}" if found.job_id else "What it may have submitted"
        return Submit(first, f"This task was cleared. {about} before that is left alone; submitting now")
    another = another_subject(found, request, task)
    moved = f". That was for {another}: the list of this mapped task has changed" if another else ""
    if found.state == "refused":
        return Submit(
            again, f"An earlier try was refused, or did not reach the service; submitting now{moved}"
        )
    if found.state == "failed":
        return Submit(again, f"Job {found.job_id} of an earlier try failed; submitting a new one{moved}")
    if found.job_id:
        stop_if_another(found, request, task)
        # A task that has a job need not make the request again: then there is nothing to compare.
        changed = changes(found.digests, digests) if request.body else []
        is_one_of_many = adopt.video is not None
        clears = (found.clear_number, task.clear_number)
        why = attached(found.job_id, changed, *clears, is_one_of_many=is_one_of_many)
        return Attach(found, why)
    if is_made_once and another is None:
        why = (
            "An earlier try may have submitted already; sending the same request again under its key, so it is "
            "paid for once"
        )
        return Submit(replace(found, started_at=now, try_number=task.number), why)
    if task.on_ambiguous == "resubmit":
        why = "An earlier try may have submitted already; submitting again, as on_ambiguous says"
        return Submit(again, why + moved)
    raise died_in_doubt(
        request.operation,
        another,
        request.subject.text,
        adopt,
        began_at=found.submitted_at,
        try_number=found.try_number,
        seen=seen,
    )


def adopts(found: Submission | None, request: SubmissionRequest) -> bool:
    """Whether a person has named a job that the record does not know yet.

    :param found: the record, None when there is none of this generation.
    :param request: what is asked for now.
    """
    job_id = request.adopt.job_id
    return job_id is not None and (found is None or job_id not in (found.adopted, found.job_id))


def has_job(found: Submission | None, request: SubmissionRequest) -> bool:
    """Whether ``decide`` would attach to a job, or stop, but not submit.

    :param found: the record, None when there is none of this generation.
    :param request: what is asked for now.
    """
    if adopts(found, request):
        return True
    return found is not None and found.job_id is not None and found.state not in ("failed", "refused")


def another_subject(found: Submission, request: SubmissionRequest, task: TaskTry) -> str | None:
    """What a record is of, in words, where that is not what a mapped task is asked for now.

    An adopted job is what the person who named it says.

    :param found: of an earlier try.
    :param request: what is asked for now.
    :param task: what the task knows of itself.
    """
    is_adopted = found.job_id is not None and found.job_id in (request.adopt.job_id, found.adopted)
    compared = task.is_mapped and not is_adopted
    return request.subject.another(found.subject, found.digests) if compared else None


def stop_if_another(found: Submission, request: SubmissionRequest, task: TaskTry) -> None:
    """Let nobody take the job of a record for what a mapped task is asked for now.

    :param found: the record, with a job.
    :param request: what is asked for now.
    :param task: what the task knows of itself.
    :raises AnotherSubjectError: the job is something else's.
    """
    another = another_subject(found, request, task)
    if another is not None and found.job_id is not None:
        raise submitted_another(request.operation, another, found.job_id, request.subject.text, request.adopt)
