"""The errors of this provider, one tree.

VideoCreationError
    ConfigurationError            the connection, the installation or the DAG must be changed
        ConnectionMissingError    Airflow gave no such connection: there is none, or Airflow could not look
    InvalidRequestError           a request is wrong; nothing was sent
    ServiceError                  the service answered, or could not be reached
        AuthenticationError       401: token or user id
        PermissionDeniedError     403
        RequestRefusedError       400, other 4xx and redirects, with the service's field messages
        NotFoundError             404, or "unknown job" inside a 200
        RateLimitedError          429
        ServiceFailureError       5xx
        ServiceUnreachableError   no connection, or no answer in time
        UnreadableReplyError      an answer that is not what the interface says
        JobReplyTooLargeError     a job answers with more than is read; it is not lost
        ReportedFailureError      a failure inside a 200 without the state failed, which is not believed at once
        AmbiguousSubmissionError  a submission that may or may not have been accepted
    JobError                      a job ended without a result, or its end was not seen
        JobFailedError            the service says that the job failed
        JobResultPurgedError      the job ended, its result is gone
        JobLostError              the service no longer knows the job
        JobDeadlinePassedError    the time for waiting is over; the job may go on
        ExecutionTimeoutError     the task's try ran out of its execution_timeout first; the job may go on
    SubmissionRecordError         the record of a submission cannot be stored or read; nothing was sent
        TryReplacedError Airflow has replaced this try by another; nothing more is done here
    SpendingRecordError           what runs have reserved or left over cannot be read or stored; nothing was planned
    AnotherSubjectError           the job of an earlier try of a mapped task is another video's; nothing was sent
    SpendingStoppedError          enough others of the run failed for a cause that all share, or the quota is too low;
                                  nothing was sent
    VideosFailedError             some of the videos of one task were not made; its message groups the causes
    RegistrationNotKeptError      it was registered, Airflow did not take its Variable
    PrivateMediaRoleError         the cloud could not be asked for the role now
    DeliveryError                 a finished video cannot be written, or a file beside it cannot be fetched
    ArticleError                  a feed or a page cannot be made into an article
        ArticleUnreachableError   it did not answer; later it may
        ArticleMemoryError        what earlier runs were given cannot be read or written
    ScriptError                   what a language model wrote for an article cannot be used
        ScriptModelError          the model could not be asked; later it may
    TranscriptError               a transcript or a podcast's feed cannot be read
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, TypeVar


class VideoCreationError(Exception):
    """The base of every error that this provider raises (source: ours).

    ``retryable`` says whether the same task, tried again later with nothing changed, may succeed.
    """

    retryable: ClassVar[bool] = False

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (type(self), self.args, vars(self))


Restored = TypeVar("Restored", bound=Exception)


def restored(kind: type[Restored], args: tuple[Any, ...], attributes: Mapping[str, Any]) -> Restored:
    """An error rebuilt from its parts, without its constructor (source: ours).

    :param kind: its class.
    :param args: as Python keeps them on every exception.
    :param attributes: its own attributes.
    """
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


class ConfigurationError(VideoCreationError):
    """The connection, the installation or the DAG must be changed before this can work."""


class ConnectionMissingError(ConfigurationError):
    """Airflow gave no such connection: there is none, or its API server or secrets backend is away.

    Airflow does not tell the two apart, so this is retried.
    """

    retryable = True


class Problem(NamedTuple):
    """One thing that is wrong in a request (source: ours).

    :param path: where, as the author writes it (``scenes[3].textColor``); empty for the whole request.
    :param value: what was given, as shown; empty when nothing was, or when it says nothing.
    :param message: what is wrong there, or what is allowed, such as ``must be a number``.
    """

    path: str
    value: str
    message: str

    def __str__(self) -> str:
        given = f" (given: {self.value})" if self.value else ""
        return f"{self.path or 'the request'}: {self.message}{given}"


class InvalidRequestError(VideoCreationError):
    """A request does not fit the interface; nothing was sent.

    :param subject: what the request is, such as ``storyboard``.
    :param problems: what is wrong with it.
    :param more: how many problems there are beside these.
    """

    def __init__(self, subject: str, problems: Sequence[Problem], more: int = 0) -> None:
        self.subject = subject
        self.problems = tuple(problems)
        number = len(self.problems) + more
        count = "1 problem" if number == 1 else f"{number} problems"
        lines = "".join(f"\n  - {problem}" for problem in self.problems)
        if more:
            lines += f"\n  - and {more} more"
        super().__init__(f"The {subject} has {count}; nothing was sent:{lines}")


class ServiceError(VideoCreationError):
    """The service answered with an error, or could not be reached.

    :param message: what happened, on what, what to do next.
    :param operation: what was being done, such as ``create storyboard``.
    :param method: the HTTP method.
    :param path: the path of the call, without host and query.
    :param status: the HTTP status, None when there was no answer.
    :param code: the service's own error code.
    :param service_message: the service's own words.
    :param request_id: the service's identifier of the request, where it sends one.
    :param job_id: the job that was asked for.
    :param retry_after: seconds that the service asked to wait.
    :param field_messages: the service's messages on single fields, as (path, message).
    :param not_acted: True when the service cannot have acted on the request.
    :param connection: the id of the Airflow connection; empty where it is not known.
    """

    def __init__(
        self,
        message: str,
        *,
        operation: str = "",
        method: str = "",
        path: str = "",
        status: int | None = None,
        code: str | None = None,
        service_message: str | None = None,
        request_id: str | None = None,
        job_id: str | None = None,
        retry_after: float | None = None,
        field_messages: Sequence[tuple[str, str]] = (),
        not_acted: bool = False,
        connection: str = "",
    ) -> None:
        super().__init__(message)
        self.operation = operation
        self.method = method
        self.path = path
        self.status = status
        self.code = code
        self.service_message = service_message
        self.request_id = request_id
        self.job_id = job_id
        self.retry_after = retry_after
        self.field_messages = tuple(field_messages)
        self.not_acted = not_acted
        self.connection = connection


class AuthenticationError(ServiceError):
    """The service does not accept the access token or the user id (401)."""


class PermissionDeniedError(ServiceError):
    """The service, or a gateway before it, does not allow the call (403)."""


class RequestRefusedError(ServiceError):
    """The service says that the request itself is wrong (400, other 4xx, a redirect, or said so inside a 200)."""


class NotFoundError(ServiceError):
    """The service does not know the path or the job (404, or said so inside a 200)."""


class RateLimitedError(ServiceError):
    """The service asks for fewer requests (429)."""

    retryable = True


class ServiceFailureError(ServiceError):
    """The service failed to answer properly (5xx)."""

    retryable = True


class ServiceUnreachableError(ServiceError):
    """No connection could be made, or no answer came in time."""

    retryable = True


class UnreadableReplyError(ServiceError):
    """The answer is not what the interface describes: not JSON, truncated, or without its fields."""

    retryable = True


class JobReplyTooLargeError(ServiceError):
    """A job was answered with more than is read; the job itself is not lost."""


class ReportedFailureError(ServiceError):
    """A 200 reports a failure without the state ``failed``; it is believed once it has been reported several times."""

    retryable = True


class AmbiguousSubmissionError(ServiceError):
    """A paid submission may or may not have been accepted; sending it again could pay twice."""


class JobError(VideoCreationError):
    """A job ended without a result, or its end was not seen.

    :param message: what happened, on which job, what to do next.
    :param job_id: the job.
    :param code: the service's error code of the job.
    :param service_message: the service's words about the job.
    """

    def __init__(
        self, message: str, *, job_id: str, code: str | None = None, service_message: str | None = None
    ) -> None:
        super().__init__(message)
        self.job_id = job_id
        self.code = code
        self.service_message = service_message


class JobFailedError(JobError):
    """The service says that the job failed.

    :param message: what happened, on which job, what to do next.
    :param job_id: the job.
    :param reported_since: epoch seconds since which the failure has been reported without the state ``failed``; None
        where the service names that state.
    :param said: ``code`` and ``service_message``, as of ``JobError``.
    """

    def __init__(
        self, message: str, *, job_id: str, reported_since: float | None = None, **said: str | None
    ) -> None:
        super().__init__(message, job_id=job_id, **said)
        self.reported_since = reported_since


class JobResultPurgedError(JobError):
    """The job ended and the service has removed its result (state ``cleaned``)."""


class JobLostError(JobError):
    """The service no longer knows the job; whether it ended is not known."""


class JobDeadlinePassedError(JobError):
    """The time for waiting is over; this is not a failure of the job, which may go on."""


class ExecutionTimeoutError(JobError):
    """The task's try ran out of its ``execution_timeout`` before the wait's own ``timeout``; the job may go on."""

    retryable = True


class SubmissionRecordError(VideoCreationError):
    """The record of a submission cannot be stored or read; nothing was sent."""

    retryable = True


class TryReplacedError(SubmissionRecordError):
    """Airflow has replaced this try by another, so its record is no longer stored."""


class SpendingRecordError(VideoCreationError):
    """What runs have reserved of a budget, or left to later runs, cannot be read or stored; nothing was planned."""

    retryable = True


class AnotherSubjectError(VideoCreationError):
    """The list of a mapped task has changed: the job of an earlier try is another video's; nothing was sent.

    :param message: both names, and what to do next.
    :param job_id: the job of the earlier try, which is paid for.
    """

    def __init__(self, message: str, *, job_id: str) -> None:
        super().__init__(message)
        self.job_id = job_id


class SpendingStoppedError(VideoCreationError):
    """Enough other tasks of the run failed for a cause that all share, or the plan needs more than the quota has left.

    Nothing was sent.
    """


class VideosFailedError(VideoCreationError):
    """Some of the videos that one task makes are not delivered; what is delivered is kept."""


class RegistrationNotKeptError(VideoCreationError):
    """The service has registered it, and Airflow did not take the Variable; the message holds what was registered."""

    retryable = True


class PrivateMediaRoleError(VideoCreationError):
    """The cloud could not be asked for the role now; later it may answer."""

    retryable = True


class DeliveryError(VideoCreationError):
    """A finished video cannot be written to its destination, or a file requested beside it cannot be fetched."""

    retryable = True


class ArticleError(VideoCreationError):
    """A feed or a page cannot be fetched, or holds nothing that could become a video."""


class ArticleUnreachableError(ArticleError):
    """A feed or a page did not answer, or answered that it cannot now; later it may."""

    retryable = True

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        """Keep what the site asked for.

        :param message: what happened, on what, what to do next.
        :param retry_after: seconds after which the site wants to be asked again, None where it did not say.
        """
        super().__init__(message)
        self.retry_after = retry_after


class ArticleMemoryError(ArticleError):
    """What earlier runs were given cannot be read or written, so nothing was taken: nothing is paid for twice."""

    retryable = True


class ScriptError(VideoCreationError):
    """What a language model wrote for an article cannot be used; nothing was sent."""


class ScriptModelError(ScriptError):
    """The language model could not be asked, or did not answer; later it may."""

    retryable = True


class TranscriptError(VideoCreationError):
    """A transcript, or a podcast's feed, cannot be read."""
