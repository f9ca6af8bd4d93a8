"""Receives what the service reports about jobs: ``POST /video_creation/webhook/{token}`` (docs/operate/webhooks.md).

A plugin's pages have no login of Airflow's before them, and whoever finds the address can call it. So a call is
believed nothing: its token must be signed with the connection's secret and name a submission that Airflow has recorded,
and the job is read again at the service. Until the signature is proven, a call causes no request to Airflow or the
service, and whatever is wrong with its token, the answer is the same.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from ...hooks.connection import aread_profile
from ...provider.connection.profile import ServiceProfile
from ...provider.errors import ReportedFailureError, VideoCreationError
from ...provider.models.job import Job
from ...provider.plugin_paths import WEBHOOK
from ...provider.waiting.reported_failure import READ_AGAIN_AFTER
from ...provider.webhooks.webhook_url import Submitter, WebhookRefusedError, claimed, verified
from ..airflow_api import AirflowApiError
from ..airflow_app import airflow_app
from ..service_jobs import ServiceJobs
from .airflow_identity import AirflowIdentities, IdentityMissingError, read_credentials
from .body import BodyRefusedError, named_by
from .called_back_job import SETTLE_SECONDS, AtWorkError, CalledBackJob
from .connections import ConnectionAwayError, WebhookConnections
from .quiet_log import QuietLog

log = logging.getLogger(__name__)

MAX_AT_WORK = 20
"""How many verified calls are worked on at once; others are asked to come again (ours)."""
WORK_SECONDS = 10.0
"""How long one call may take, after its body is there (ours)."""
COME_AGAIN_SECONDS = 5
"""The answer when the caller can only try again later (ours)."""
LATER_STATUS = 503


class _LaterError(Exception):
    """This call cannot be worked on now; the service may repeat it."""

    def __init__(self, seconds: float = COME_AGAIN_SECONDS) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class WebhookReceiver:
    """Works on calls, some at a time, each submission's one after the other.

    :param clock: gives epoch seconds.
    :param steady_clock: gives seconds that never go back.
    :param most_at_work: how many verified calls are worked on at once.
    :param work_seconds: how long one call may take, after its body is there.
    :param settle_seconds: see ``CalledBackJob``.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.time,
        steady_clock: Callable[[], float] = time.monotonic,
        *,
        most_at_work: int = MAX_AT_WORK,
        work_seconds: float = WORK_SECONDS,
        settle_seconds: float = SETTLE_SECONDS,
    ) -> None:
        self._clock = clock
        self._most_at_work = most_at_work
        self._work_seconds = work_seconds
        self._settle_seconds = settle_seconds
        self._connections = WebhookConnections(aread_profile, steady_clock)
        self._identities = AirflowIdentities(read_credentials, clock)
        self._jobs = ServiceJobs(clock)
        self._log = QuietLog(log, steady_clock)
        self._at_work: set[Submitter] = set()
        self._emitting = asyncio.Lock()

    async def close(self) -> None:
        """Close the sessions with the service."""
        await self._jobs.close()

    async def answer(self, token: str, request: Request) -> Response:
        """Answer one call.

        :param token: the last segment of its URL.
        :param request: the call.
        """
        try:
            submitter, profile = await self._verified(token)
        except WebhookRefusedError as error:
            self._log.warning(error.reason, f"Refused a webhook call: its token is {_TOKEN_IS[error.reason]}")
            return _said(403, "this is not a valid webhook")
        except ConnectionAwayError:
            self._log.warning(
                "connection", "A webhook call must wait: its connection cannot be looked up now"
            )
            return _later(COME_AGAIN_SECONDS)
        if submitter in self._at_work or len(self._at_work) >= self._most_at_work:
            return _later(1)
        self._at_work.add(submitter)
        try:
            named = await named_by(request)
            async with asyncio.timeout(self._work_seconds):
                await self._take(airflow_app(request), submitter, profile, named)
        except BodyRefusedError as error:
            self._log.warning("body", f"Refused the body of a webhook call ({error.status})")
            return _said(error.status, "the body is not a JSON object, or is too large or too slow")
        except WebhookRefusedError as error:
            self._log.warning(error.reason, f"Refused a webhook call: {_SUBMISSION_IS[error.reason]}")
            return _said(409, "the task has no such job")
        except TimeoutError:
            self._log.warning("slow", f"A webhook call was not finished within {self._work_seconds:.0f} s")
            return _later(COME_AGAIN_SECONDS)
        except _LaterError as error:
            return _later(error.seconds)
        finally:
            self._at_work.discard(submitter)
        return _said(200, "thank you")

    async def _verified(self, token: str) -> tuple[Submitter, ServiceProfile]:
        profile = await self._connections.profile(claimed(token).conn_id)
        if profile is None or profile.webhook_secret is None:
            raise WebhookRefusedError("signature")
        return verified(token, profile.webhook_secret, self._clock()), profile

    async def _take(
        self, app: Any, submitter: Submitter, profile: ServiceProfile, payload_job_id: str | None
    ) -> None:
        """Do in Airflow what the call asks for.

        :raises WebhookRefusedError: ``task`` or ``job``.
        :raises _LaterError: it cannot be done now.
        """
        conn_id = profile.airflow_api_conn_id
        try:
            async with await self._identities.api(app, conn_id) as api:
                job = CalledBackJob(api, submitter, self._clock, self._emitting, self._settle_seconds)
                if (named := await job.to_announce(payload_job_id)) is None:
                    return
                await job.announce(await self._ended(submitter, profile, named.job_id))
        except IdentityMissingError as error:
            self._log.warning(
                "identity", f"No webhook call can be accepted, so jobs are only polled: {error}"
            )
            raise _LaterError from None
        except AirflowApiError as error:
            if error.status in (401, 403):
                # With SimpleAuthManager the rights are in the token, too.
                self._identities.forget(conn_id)
            hint = ""
            if error.status == 403:
                hint = f": the user of connection {conn_id!r} lacks the right (docs/operate/webhooks.md, The rights)"
            elif error.status >= 500:
                hint = ": the API server's log says why; if the service calls again, it is done then"
            self._log.warning(f"airflow {error.status}", f"A webhook call was not accepted: {error}{hint}")
            raise _LaterError from None
        except AtWorkError as error:
            raise _LaterError(error.seconds) from None

    async def _ended(self, submitter: Submitter, profile: ServiceProfile, job_id: str) -> Job:
        """The job at its end, as the service shows it.

        :raises _LaterError: it has not ended, or cannot be read now.
        """
        try:
            job = await self._jobs.read_ended(submitter.conn_id, profile, job_id)
        except ReportedFailureError as error:
            self._log.warning(
                "reported", f"A webhook call's job is read again before its failure is believed: {error}"
            )
            raise _LaterError(READ_AGAIN_AFTER) from None
        except VideoCreationError as error:
            self._log.warning("service", f"A webhook call's job cannot be read: {error}")
            raise _LaterError from None
        if job.state == "in-progress":
            self._log.warning("unended", "A webhook call came for a job that has not ended")
            raise _LaterError
        return job


def webhook_router(receiver: WebhookReceiver | None = None) -> APIRouter:
    """The routes of the receiver.

    :param receiver: does the work; a new one when None.
    """
    router = APIRouter()
    works = receiver or WebhookReceiver()

    @router.post(WEBHOOK + "/{token}")
    async def webhook(token: str, request: Request) -> Response:
        return await works.answer(token, request)

    return router


_TOKEN_IS = {
    "malformed": "not one of ours",
    "signature": "not signed with the webhook_secret of a connection: forged, or made before a new secret",
    "expired": "too old, or dated in the future",
}
_SUBMISSION_IS = {
    "task": "its task is gone, was cleared or has submitted again",
    "job": "it names a different job than its task has, or no job while none is recorded",
}


def _said(status: int, detail: str) -> Response:
    return JSONResponse({"detail": detail}, status)


def _later(seconds: float) -> Response:
    return JSONResponse(
        {"detail": "not now"}, LATER_STATUS, headers={"Retry-After": str(max(1, math.ceil(seconds)))}
    )
