"""What a task says of a submission that an earlier try made, or may have made."""

from __future__ import annotations

from datetime import UTC, datetime

from ..errors import AmbiguousSubmissionError, AnotherSubjectError
from ..quoting import sentence
from .adoption import JOB_ID, MAP_INDEX, Adoption
from .record import Submission
from .request_digests import changes, digests_of
from .submission_request import SubmissionRequest

NAMELESS = "something whose name cannot be read"
_CLEAR_AGAIN = (
    "Airflow took that for a retry, since the task ran at that time or its retries= was changed. Clear it again after "
    "it has ended."
)
ENDED = "ended before it knew the answer"
NOTHING_KEPT = (
    "Airflow before 3.3 keeps no record between tries unless [video_creation] record_folder is set "
    "(docs/operate/record-folder.md), and an earlier try may have submitted"
)


def sent_at(at: float) -> str:
    """A time as messages show it.

    :param at: epoch seconds.
    """
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S} UTC"


def attached(
    job_id: str,
    changed: list[str],
    clears_then: int | None,
    clears_now: int | None,
    *,
    is_one_of_many: bool = False,
) -> str:
    """Why nothing is sent: the job of an earlier try is there.

    :param job_id: of that job.
    :param changed: the fields of the request that have changed.
    :param clears_then: the run's ``clear_number`` as the job was submitted; None where it is not known.
    :param clears_now: the same now.
    :param is_one_of_many: whether the task makes many videos, whose jobs a clear keeps.
    """
    why = (
        f"Job {job_id} was submitted by an earlier try, whose result did not reach Airflow, or which failed later. "
        "This try resumes that job. Nothing is sent again for it."
    )
    why += "" if is_one_of_many else _of_clears(clears_then, clears_now)
    if changed:
        why += f" The request has changed since then, which has no effect: {', '.join(changed)}."
    return why


def _of_clears(clears_then: int | None, clears_now: int | None) -> str:
    """What a person who has cleared the task for a new job must know; empty where nothing was cleared."""
    if clears_then is None or clears_now is None:
        return f" If you cleared the task to get a new job: {_CLEAR_AGAIN}"
    if clears_then == clears_now:
        return ""
    return (
        f" Tasks of this run were cleared since then (its clear_number was {clears_then}, and is {clears_now}). "
        f"If you cleared this one to get a new job: {_CLEAR_AGAIN}"
    )


def in_doubt(operation: str, why: str, how_to_go_on: str) -> AmbiguousSubmissionError:
    """The error of a try that cannot know whether an earlier one has submitted.

    :param operation: what would be done, such as ``create storyboard``.
    :param why: what is known.
    :param how_to_go_on: what a person can do.
    """
    return AmbiguousSubmissionError(
        f"{sentence(operation)}: {why}, so it may have been accepted, and may be paid for. "
        f"Nothing was sent again. Look at the service. {how_to_go_on}",
        operation=operation,
    )


def what_to_do(
    request: SubmissionRequest, left_at: float, *, is_made_once: bool, keeps_records: bool = True
) -> str:
    """What a person does about a submission that may have been accepted, in the try that sent it.

    :param request: what was submitted.
    :param left_at: epoch seconds at which it left.
    :param is_made_once: whether a retry sends it again under the same key.
    :param keeps_records: whether something outlives the try that tells what it submitted.
    """
    sought = f"What to look for: {request.operation}, sent at {sent_at(left_at)}."
    retried = (
        "A retry of this task sends the same request again under the same key, and it is paid for once. If no retry is "
        "left: "
    )
    go_on = request.adopt.how_to_go_on(keeps_records=keeps_records)
    return f"{sought} {retried if is_made_once else ''}{go_on}"


def reads_differently(
    request: SubmissionRequest, intent: Submission, seen: str | None = None
) -> AmbiguousSubmissionError:
    """The error of a try that would have to send something else under the key of an earlier one.

    :param request: what is asked for now.
    :param intent: of the earlier try.
    :param seen: what was seen at the service, in a sentence; None where nobody looked.
    """
    found = f"{seen} " if seen else ""
    changed = changes(intent.digests, digests_of(request.body)) or ["what is sent, where, or its webhook"]
    return in_doubt(
        request.operation,
        f"an earlier try began to submit at {sent_at(intent.submitted_at)}, and {ENDED}. The request has changed since "
        f"then ({', '.join(changed)}), so it cannot be sent again under the same key",
        f"{found}{request.adopt.how_to_go_on()}",
    )


def died_in_doubt(
    operation: str,
    another: str | None,
    asked: str | None,
    adopt: Adoption,
    *,
    began_at: float,
    try_number: int | None,
    seen: str | None = None,
) -> AmbiguousSubmissionError:
    """The error of a try that finds an intent, and no answer.

    :param operation: what would be done.
    :param another: what the intent was for, where it is not what is asked for now.
    :param asked: what is asked for now, where it is known.
    :param adopt: how a job is adopted.
    :param began_at: epoch seconds at which the earlier try began to send.
    :param try_number: of the earlier try; None where it is not known.
    :param seen: what was seen at the service, in a sentence; None where nobody looked.
    """
    found = f"{seen} " if seen else ""
    began = f" began to submit at {sent_at(began_at)}, and {ENDED}" if began_at else f" {ENDED}"
    earlier = "an earlier try" if try_number is None else f"try {try_number} (its log may name the job)"
    if another is None:
        return in_doubt(operation, f"{earlier}{began}", f"{found}{adopt.how_to_go_on()}")
    return in_doubt(
        operation,
        f"the list that this task is mapped over has changed, and {earlier}, which was for {another},{began}",
        f"{found}{_clear_for(asked, adopt)} {_of_the_other(adopt, another, JOB_ID)}",
    )


def submitted_another(
    operation: str, another: str, job_id: str, asked: str | None, adopt: Adoption
) -> AnotherSubjectError:
    """The error of a try whose job is another video's.

    :param operation: what would be done.
    :param another: what the earlier try submitted.
    :param job_id: of that.
    :param asked: what is asked for now, where it is known.
    :param adopt: how a job is adopted.
    """
    go_on = (
        f"{_back_as_it_was(adopt, job_id)}{_clear_for(asked, adopt)} {_of_the_other(adopt, another, job_id)}"
    )
    return AnotherSubjectError(
        f"{sentence(operation)}: the list that this task is mapped over has changed. An earlier try submitted "
        f"{another}, which is paid for ({job_id}), and now {asked or NAMELESS} is asked for. Nothing "
        f"was sent now. {go_on}",
        job_id=job_id,
    )


def _back_as_it_was(adopt: Adoption, job_id: str) -> str:
    if adopt.argument is None:
        return ""
    return (
        f"If the list was only reordered, put it back as it was, put {adopt.line(job_id)} into the DAG and clear this "
        "map index: that pays for nothing. "
    )


def _clear_for(asked: str | None, adopt: Adoption) -> str:
    asked = asked or "what is asked for now"
    clear = f"To submit, and pay for, {asked}, clear this task; first check whether another map index has made it."
    return f"{clear} {adopt.of_others()}".rstrip()


def _of_the_other(adopt: Adoption, another: str, job_id: str) -> str:
    """What becomes of what the earlier try submitted."""
    if adopt.argument is None:
        return f"What was made for {another} stays as it is at the service."
    return (
        f"To use the job of {another}, find the map index that it has now, put {adopt.line(job_id, MAP_INDEX)} with "
        "that index into the DAG, and clear it."
    )
