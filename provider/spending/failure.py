"""What a failing task leaves for others: for its siblings, whether to go on; for the summary, what happened."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from ..errors import (
    AuthenticationError,
    JobError,
    PermissionDeniedError,
    ServiceError,
    SpendingStoppedError,
    VideoCreationError,
)
from ..quoting import sentence, shortened
from ..stored_dataclass import thawed_strictly

VERSION = 1
MAX_MESSAGE = 2000
"""How many characters of an error's message are kept (ours)."""
MAX_NAMED, MAX_NAME = 10, 80
"""How many of those that failed a message names, and how many characters of a name it tells (ours)."""
STOP_AFTER = "(stop_after= says after how many to stop.)"
PAYMENT_REQUIRED = 402
_QUOTA_CODE = re.compile(
    r"quota|credit|balance|billing|payment|subscription|plan_?limit|usage_?limit|insufficient_?f"
)
_QUOTA_WORDS = re.compile(
    r"\bquota\b|\b(?:no|out of|not enough|insufficient|more) (?:\w+ )?(?:credits?|funds|balance)\b"
    r"|\bcredits? (?:is|are|has|have|was|were)\b|\bpayment (?:is )?required\b|\bsubscription\b"
)

Counted = TypeVar("Counted", int, str)


@dataclass(frozen=True)
class Failure:
    """How a try of a task failed; JSON with ``to_json``, and holds no secret (source: ours).

    :param kind: the error's class, such as ``AuthenticationError``.
    :param message: for people; of an error that is not ours only its class is told, since its words may hold anything.
    :param task_id: of the task.
    :param map_index: of the task; -1 for one that is not mapped.
    :param video: the video's name, where the task knows it.
    :param status: the HTTP status.
    :param code: the service's own error code.
    :param job_id: the job.
    :param cause: what all tasks of the run share that fail so, see ``shared_cause``; None where it is the video's own.
    :param clears: how often tasks of the run had been cleared by then: Airflow's ``clear_number`` of the run.
    :param version: of this form.
    """

    kind: str
    message: str
    task_id: str = ""
    map_index: int = -1
    video: str | None = None
    status: int | None = None
    code: str | None = None
    job_id: str | None = None
    cause: str | None = None
    clears: int = 0
    version: int = VERSION

    @classmethod
    def of(cls, error: BaseException, **known: Any) -> Failure:
        """How a try failed.

        :param error: that ended it.
        :param known: of the task: this class's other fields.
        """
        if known.get("video") is not None:
            # An argument may render to anything.
            known["video"] = str(known["video"])
        if not isinstance(error, VideoCreationError):
            message = f"{type(error).__name__}; the log of the task says more."
            return cls(type(error).__name__, message, **known)
        return cls(
            type(error).__name__,
            str(error)[:MAX_MESSAGE],
            status=getattr(error, "status", None),
            code=getattr(error, "code", None),
            job_id=getattr(error, "job_id", None),
            cause=shared_cause(error),
            **known,
        )

    @classmethod
    def from_json(cls, stored: Any) -> Failure | None:
        """The failure that was kept; None when it cannot be understood. Unknown keys are ignored.

        :param stored: a JSON value, perhaps of another release.
        """
        return thawed_strictly(cls, stored)

    def to_json(self) -> dict[str, Any]:
        """The failure as XCom keeps it."""
        return asdict(self)


def shared_cause(error: BaseException) -> str | None:
    """Name what all videos of a run share that fail so, None where it is this one's own (source: ours).

    | cause            | error                                                                             |
    |------------------|-----------------------------------------------------------------------------------|
    | `authentication` | the token or the user id is not accepted (401)                                    |
    | `permission`     | the caller may not do this (403), with the service's code where it has one        |
    | `payment`        | status 402, or a refusal, a 429 or a failed job that speaks of quota, credit, payment |

    Everything else is the video's own (a wrong field, a failed rendering) or passes (a 5xx, a plain 429).

    :param error: that ended a task.
    """
    if isinstance(error, SpendingStoppedError) or not isinstance(error, ServiceError | JobError):
        return None
    if isinstance(error, AuthenticationError):
        return "authentication"
    said, code = (error.service_message or "").lower(), (error.code or "").lower()
    status = getattr(error, "status", None)
    if status == PAYMENT_REQUIRED or _QUOTA_CODE.search(code) or _QUOTA_WORDS.search(said):
        return "payment"
    if isinstance(error, PermissionDeniedError):
        return f"permission {code}".rstrip()
    return None


def require_no_shared_failure(
    failures: list[Failure], *, stop_after: int, map_index: int, clears: int, what: str
) -> None:
    """Stop a task before it sends, when enough others of its run failed for one cause that they share (source: ours).

    A failure from before the run's last clear no longer counts, whichever task it was: the cause may be fixed. The
    tries that tasks had tell nothing of that, since they differ from task to task.

    :param failures: of all map indexes of the task.
    :param stop_after: how many map indexes must have failed alike.
    :param map_index: of this task, whose own failures do not count.
    :param clears: how often tasks of the run had been cleared when this try began.
    :param what: is not sent, such as ``create storyboard 'news'``.
    :raises SpendingStoppedError: nothing is sent.
    """
    others = [failure for failure in failures if failure.map_index != map_index and failure.clears >= clears]
    for cause, alike in _alike(others, stop_after, lambda failure: failure.map_index):
        indexes = ", ".join(str(index) for index in sorted(alike)[:MAX_NAMED])
        raise SpendingStoppedError(
            f"{sentence(what)}: not sent, since {len(alike)} other tasks of this run (map index {indexes})"
            f" failed for a cause that all share ({cause}): {alike[max(alike)].message} Fix that, then clear the "
            f"failed tasks. {STOP_AFTER}"
        )


def require_no_shared_failure_of_videos(failures: Sequence[Failure], *, stop_after: int, what: str) -> None:
    """Stop one video of a task that makes many before it is sent, when enough others failed alike (source: ours).

    :param failures: of the task's other videos since its last clear, the latest last; a video counts once.
    :param stop_after: how many videos must have failed for one cause that they share.
    :param what: is not sent, such as ``create storyboard 'news'``.
    :raises SpendingStoppedError: nothing is sent.
    """
    for cause, alike in _alike(
        failures, stop_after, lambda failure: failure.video or "a video without a name"
    ):
        names = ", ".join([shortened(name, MAX_NAME) for name in alike][:MAX_NAMED])
        more = ", ..." if len(alike) > MAX_NAMED else ""
        last = list(alike.values())[-1]
        raise SpendingStoppedError(
            f"{sentence(what)}: not sent, since {len(alike)} other videos of this task ({names}{more}) failed for a "
            f"cause that all share ({cause}): {last.message} Fix that, then clear the task: its videos that are "
            f"delivered or under way are kept. {STOP_AFTER}"
        )


def _alike(
    failures: Iterable[Failure], stop_after: int, of: Callable[[Failure], Counted]
) -> Iterator[tuple[str, dict[Counted, Failure]]]:
    """The causes that enough share, each with the last failure of each that shares it.

    :param failures: the latest last.
    :param stop_after: how many are enough.
    :param of: whose failure it is.
    """
    found: dict[str, dict[Counted, Failure]] = {}
    for failure in failures:
        if failure.cause:
            sharing = found.setdefault(failure.cause, {})
            sharing.pop(of(failure), None)
            sharing[of(failure)] = failure
    yield from ((cause, sharing) for cause, sharing in found.items() if len(sharing) >= stop_after)
