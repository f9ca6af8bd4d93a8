"""When a call of the hooks is made again.

| error                         | read                  | submission, any other change | submission with a key |
|-------------------------------|-----------------------|------------------------------|-----------------------|
| rate limited                  | after ``Retry-After`` | after ``Retry-After``        | after ``Retry-After`` |
| no connection was made        | backoff               | backoff                      | backoff               |
| the token could not be fetched| backoff               | backoff                      | backoff               |
| no reply, 5xx, unreadable     | backoff               | never: it may be accepted    | backoff               |
| everything else               | never                 | never                        | never                 |

A call that sets a state, such as the deletion of a registration, has no further effect when it is made twice: it is
repeated as a GET is.

Always within a total budget of seconds, a long one for 429 and a short one for everything else: what lasts
longer is for Airflow's own retries, which give the worker back in between. Waiting for a job has its own
schedule, see ``waiting``.

A service that takes a key makes a submission once, however often it is sent with that key. A 409 may then mean that it
is still working on the first one. Any other answer to a repeat says nothing about the first: the doubt remains.
"""

from __future__ import annotations

from ..errors import AmbiguousSubmissionError, RateLimitedError, ServiceError, VideoCreationError
from .calls import Call

FIRST_BACKOFF, MAX_BACKOFF = 1.0, 30.0
"""Seconds before the second attempt, and the most between two (ours)."""
RATE_LIMIT_BUDGET, TROUBLE_BUDGET = 900.0, 30.0
"""Seconds that all attempts together may take, under 429 and under other trouble (ours)."""


def seconds_before_repeat(
    call: Call,
    error: BaseException,
    *,
    attempt: int,
    elapsed: float,
    jitter: float,
    is_in_doubt: bool = False,
) -> float | None:
    """How long to wait before the call is made again, or None when it must not be.

    :param call: the call that failed.
    :param error: how it failed.
    :param attempt: which attempt failed, from 1.
    :param elapsed: seconds since the first attempt began.
    :param jitter: a random number from 0 to 1, spreads the attempts of many tasks.
    :param is_in_doubt: whether an attempt may have been accepted.
    """
    if not isinstance(error, ServiceError):
        return None
    may_come_again = isinstance(error, AmbiguousSubmissionError) or (is_in_doubt and error.status == 409)
    is_safe = error.retryable and (error.not_acted or not call.is_sent_once)
    if not is_safe and not (call.key and may_come_again):
        return None
    if error.retry_after is not None:
        wait = max(error.retry_after, FIRST_BACKOFF) + jitter
    else:
        wait = min(FIRST_BACKOFF * 2.0 ** min(attempt - 1, 10), MAX_BACKOFF) * (0.5 + jitter / 2)
    budget = RATE_LIMIT_BUDGET if isinstance(error, RateLimitedError) else TROUBLE_BUDGET
    return wait if elapsed + wait <= budget else None


def leaves_doubt(call: Call, error: BaseException) -> bool:
    """Whether a submission that failed like this may have been accepted.

    :param call: the call that failed.
    :param error: how it failed.
    """
    return call.submission and isinstance(error, ServiceError) and not error.not_acted


def still_in_doubt(error: VideoCreationError) -> AmbiguousSubmissionError:
    """The error of a submission that was sent again under its key, and failed in a way that settles nothing.

    :param error: how it failed the last time.
    """
    if isinstance(error, AmbiguousSubmissionError):
        return error
    doubt = AmbiguousSubmissionError(
        f"{error} That settles nothing: the same request was sent before, so it may have been accepted, and may be "
        "paid for."
    )
    if isinstance(error, ServiceError):
        doubt.__dict__.update(vars(error) | {"not_acted": False})
    return doubt


class Attempts:
    """The attempts at one call, from the first to the last that is allowed (source: ours).

    :param call: what is asked.
    :param now: the caller's clock, s.
    """

    def __init__(self, call: Call, *, now: float) -> None:
        self._call = call
        self._began = now
        self._made = 0
        self.met_refused_token = False
        """Whether one of them was sent with a token that the service refused: it may have been sent twice already."""
        self.are_in_doubt = False
        """Whether one of them may have been accepted."""
        self.were_in_doubt = False
        """Whether one before the last may have been accepted."""

    def seconds_before_next(self, error: BaseException, *, now: float, jitter: float) -> float | None:
        """How long to wait before the next attempt, or None when there must be none.

        :param error: how the last one failed.
        :param now: the caller's clock, s.
        :param jitter: a random number from 0 to 1.
        """
        self._made += 1
        self.were_in_doubt = self.are_in_doubt
        self.are_in_doubt = self.are_in_doubt or leaves_doubt(self._call, error)
        if self._call.is_sent_once and self.met_refused_token:
            return None
        return seconds_before_repeat(
            self._call,
            error,
            attempt=self._made,
            elapsed=now - self._began,
            jitter=jitter,
            is_in_doubt=self.are_in_doubt,
        )
