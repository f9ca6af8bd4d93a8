"""The record of a paid submission, and what a task does that finds one.

A submission is paid for when the service accepts it, and the worker may die at any moment. So the task writes down
what it is about to do, and what came of it, in a store that outlives the try:

    decide   -> intent        stored before the POST: from here on the service may have been paid
    accepted -> submitted     stored right after the answer: the job id is known
    refused  -> refused       the service cannot have acted; also while a pause lasts, or a token is fetched, before
                              the POST: the intent is stored anew after that
    ended    -> completed, failed

One record stands for one generation of a task: a retry is the same generation, a cleared task the next one. A record
is marked, never deleted: a worker that dies after the result, before Airflow knows of it, must not pay again.

| record found                    | what the task does                                              |
|---------------------------------|-----------------------------------------------------------------|
| none, or of another generation  | submit                                                          |
| intent, and a callback of it    | attach to the job that the callback names; nothing is sent      |
| intent                          | stop: the submission is in doubt; with ``resubmit`` submit anew |
| submitted, completed            | attach to its job; nothing is sent                              |
| refused                         | submit                                                          |
| failed                          | submit anew                                                     |
| any, and another job to adopt   | attach to the adopted job; nothing is sent                      |

A callback is what the service told Airflow's receiver of this very submission (``webhooks.callback``).
A job that is lost from sight is no failed one: it may go on and be paid for, so a retry looks for it again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal

from .protocol.errors import AmbiguousSubmissionError
from .protocol.quoting import sentence

VERSION = 1
RECORD_KEY = "video_creation.submission"
"""Under which the record stands in the task state store."""
MAX_DIGESTS = 200
"""How many fields of a request are remembered, to name what differs on a retry (ours)."""

State = Literal["intent", "submitted", "refused", "completed", "failed"]
OnAmbiguous = Literal["fail", "resubmit"]


def record_key(stage: str = "") -> str:
    """Under which a record stands in the task state store.

    :param stage: of a task that makes several submissions.
    """
    return f"{RECORD_KEY}.{stage}" if stage else RECORD_KEY


@dataclass(frozen=True)
class Submission:
    """What is known of one submission; JSON with ``to_json``, and holds no secret and no content.

    :param generation: of the task; a record of another generation is history.
    :param state: see the table above.
    :param begun_at: epoch seconds at which the intent was stored.
    :param started_at: epoch seconds from which the deadline counts: at first the start of the task's first try,
        after a failed job the start of the try that submitted again.
    :param job_id: once the service has accepted: of the job, or of what was registered.
    :param reply: the service's whole reply, where that is the task's result.
    :param adopted: the job that was adopted in this generation: it is adopted once, not again after it failed.
    :param digests: field path -> digest of its value, to name what differs on a retry.
    :param webhook: the connection whose secret signed the URL at which the service was asked to tell of the job's
        end; None where it was not asked.
    :param version: of this form.
    """

    generation: int
    state: State
    begun_at: float
    started_at: float
    job_id: str | None = None
    reply: Mapping[str, Any] | None = None
    adopted: str | None = None
    digests: Mapping[str, str] = field(default_factory=dict)
    webhook: str | None = None
    version: int = VERSION

    def accepted(self, job_id: str, reply: Mapping[str, Any] | None = None) -> Submission:
        """The service has answered.

        :param job_id: of the job, or of what was registered.
        :param reply: the whole reply, where that is the task's result.
        """
        return replace(self, state="submitted", job_id=job_id, reply=reply)

    def refused(self) -> Submission:
        """The service cannot have acted on the request."""
        return replace(self, state="refused")

    def ended(self, state: Literal["completed", "failed"]) -> Submission:
        """The job has ended.

        :param state: how.
        """
        return replace(self, state=state)

    def to_json(self) -> dict[str, Any]:
        """The record as the store keeps it."""
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Any, generation: int) -> Submission | None:
        """The record in the store; None when there is none.

        :param stored: a JSON value, perhaps of another release: unknown keys are ignored. What cannot be understood
            counts as an intent, since something may have been submitted.
        :param generation: of the task now, to which what names none belongs.
        """
        if stored is None:
            return None
        if not isinstance(stored, Mapping) or type(stored.get("generation")) is not int:
            return cls(generation, "intent", 0.0, 0.0)
        known = {item.name: stored[item.name] for item in fields(cls) if item.name in stored}
        try:
            record = cls(**known)
        except TypeError:
            record = None
        times_are_numbers = record and all(
            isinstance(time, int | float) for time in (record.begun_at, record.started_at)
        )
        if record and times_are_numbers and isinstance(record.digests, Mapping):
            return record
        return cls(stored["generation"], "intent", 0.0, 0.0)


@dataclass(frozen=True)
class Adoption:
    """A job that a person found at the service after a submission in doubt.

    :param job_id: its id, None for none.
    :param argument: what takes the id, for messages; None where nothing does.
    """

    job_id: str | None = None
    argument: str | None = None

    def __post_init__(self) -> None:
        given = self.job_id.get("job_id") if isinstance(self.job_id, Mapping) else self.job_id
        text = str(given).strip()
        # A template renders what is not there as the text "None".
        object.__setattr__(self, "job_id", None if text in ("", "None") else text)


NO_ADOPTION = Adoption()


@dataclass(frozen=True)
class Submit:
    """Send the request. ``why`` is for the log, None for a first submission."""

    record: Submission
    why: str | None = None


@dataclass(frozen=True)
class Attach:
    """Send nothing: the job is there. ``why`` is for the log."""

    record: Submission
    job_id: str
    why: str


def decide(
    found: Submission | None,
    *,
    generation: int,
    request: Mapping[str, Any],
    now: float,
    operation: str,
    on_ambiguous: OnAmbiguous = "fail",
    adopt: Adoption = NO_ADOPTION,
    started_at: float | None = None,
) -> Submit | Attach:
    """What a task does, by the table above.

    :param found: the record in the store.
    :param generation: of the task now.
    :param request: the body that would be sent.
    :param now: epoch seconds.
    :param operation: what would be done, for messages, such as ``create storyboard``.
    :param on_ambiguous: whether a submission in doubt stops the task or is sent again.
    :param adopt: a job that was found at the service.
    :param started_at: epoch seconds from which the deadline of a first submission counts, ``now`` when None.
    :raises AmbiguousSubmissionError: an earlier try may have submitted, and died before it knew.
    """
    digests = digests_of(request)
    first = Submission(generation, "intent", now, now if started_at is None else started_at, digests=digests)
    of_now = found if found and found.generation == generation else None
    again = replace(first, started_at=now, adopted=of_now.adopted if of_now else None)
    if adopt.job_id and (of_now is None or adopt.job_id not in (of_now.adopted, of_now.job_id)):
        why = f"Going on from job {adopt.job_id}, as {adopt.argument} says; nothing is sent"
        adopted = replace(first.accepted(adopt.job_id), adopted=adopt.job_id)
        return Attach(adopted, adopt.job_id, why)
    if found is None:
        return Submit(first)
    if of_now is None:
        about = f"job {found.job_id}" if found.job_id else f"a submission that is {found.state}"
        return Submit(first, f"This task was cleared; {about} of before the clear is left alone")
    if found.state == "refused":
        return Submit(again, "An earlier try was refused, or did not reach the service; submitting now")
    if found.state == "failed":
        return Submit(again, f"Job {found.job_id} of an earlier try failed; submitting a new one")
    if found.job_id:
        return Attach(found, found.job_id, _attached(found.job_id, changes(found.digests, digests)))
    if on_ambiguous == "resubmit":
        return Submit(
            again, "An earlier try may have submitted already; submitting again, as on_ambiguous says"
        )
    why = "an earlier try died after it began to submit and before it knew the answer"
    raise in_doubt(operation, why, adopt.argument)


def _attached(job_id: str, changed: list[str]) -> str:
    why = (
        f"An earlier try submitted job {job_id}; nothing is sent again. (Airflow may count a task that was cleared "
        "while it ran as retried: clear it after it has ended for a new job.)"
    )
    if changed:
        why += f" The request reads differently now, which has no effect: {', '.join(changed)}"
    return why


def in_doubt(operation: str, why: str, adopt_argument: str | None) -> AmbiguousSubmissionError:
    """The error of a try that cannot know whether an earlier one has submitted.

    :param operation: what would be done, such as ``create storyboard``.
    :param why: what is known.
    :param adopt_argument: what takes the id of a job that is found at the service; None where nothing does.
    """
    return AmbiguousSubmissionError(
        f"{sentence(operation)}: {why}, so it may have been accepted, and may be paid for. "
        f"Nothing was sent again. Look at the service. {how_to_go_on(adopt_argument)}",
        operation=operation,
    )


def how_to_go_on(adopt_argument: str | None) -> str:
    """What to do about a submission in doubt, for messages.

    :param adopt_argument: what takes the id of a job that is found at the service; None where nothing does.
    """
    if adopt_argument is None:
        return "If it made what was asked for, use that; if not, clear this task to submit anew."
    return (
        f"If the job is there, set {adopt_argument}= to its id and clear this task; "
        "if it is not, clear this task to submit anew."
    )


def digests_of(request: Mapping[str, Any]) -> dict[str, str]:
    """A short digest of each field of a request, by its path.

    :param request: the body that is sent.
    """
    found: dict[str, str] = {}
    for path, value in _leaves("", request):
        if len(found) == MAX_DIGESTS:
            break
        text = json.dumps(value, sort_keys=True, default=str)
        found[path] = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return found


def changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """The paths of the fields that differ, at most ten.

    :param before: from ``digests_of``, of the request that was sent.
    :param after: of the one that would be sent now.
    """
    paths = [path for path in {**before, **after} if before.get(path) != after.get(path)]
    return paths if len(paths) <= 10 else [*paths[:10], f"and {len(paths) - 10} more"]


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping) and value:
        for name, item in value.items():
            yield from _leaves(f"{path}.{name}" if path else str(name), item)
    elif isinstance(value, list) and value:
        for index, item in enumerate(value):
            yield from _leaves(f"{path}[{index}]", item)
    else:
        yield path, value
