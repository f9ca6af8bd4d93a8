"""Delivery of completions to the webhooks which requests name. Source: the interface, "Events"; payload is ours."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..outgoing import open_session

log = logging.getLogger(__name__)

PAUSES_SECONDS = (0.5, 2.0, 8.0)
TIMEOUT_SECONDS = 10.0
KEPT_DELIVERIES = 1000


@dataclass(frozen=True)
class Delivery:
    """One attempt to deliver a completion.

    :param attempt: from 1
    :param status: HTTP status of the answer; absent when there was none
    :param error: why there was no answer
    """

    job_id: str
    url: str
    attempt: int
    status: int | None
    error: str | None


class Webhooks:
    """Posts completions, again after a pause when they are not taken, and records each attempt.

    :param allow_private_networks: whether a webhook may be at an address that is not public
    :param pauses: seconds before the second, third, ... attempt
    """

    def __init__(self, *, allow_private_networks: bool, pauses: Sequence[float] = PAUSES_SECONDS) -> None:
        self._allow_private_networks = allow_private_networks
        self._pauses = pauses
        self.deliveries: deque[Delivery] = deque(maxlen=KEPT_DELIVERIES)

    async def deliver(self, url: str, job_id: str, completion: dict[str, Any]) -> bool:
        """Post a completion until it is answered with 2xx; tell whether it was.

        :param url: the webhook
        :param job_id: whose completion it is
        :param completion: the same body that a poll gets
        """
        for attempt, pause in enumerate((0.0, *self._pauses), 1):
            await asyncio.sleep(pause)
            delivery = await self._attempt(url, job_id, completion, attempt)
            self.deliveries.append(delivery)
            if delivery.status is not None and 200 <= delivery.status < 300:
                return True
        log.warning(
            "The completion of job %s was not accepted by its webhook after %d attempts",
            job_id,
            len(self._pauses) + 1,
        )
        return False

    async def _attempt(self, url: str, job_id: str, completion: dict[str, Any], attempt: int) -> Delivery:
        status = error = None
        try:
            async with (
                open_session(TIMEOUT_SECONDS, allow_private_networks=self._allow_private_networks) as session,
                session.post(url, json=completion, allow_redirects=False) as reply,
            ):
                status = reply.status
        except Exception as failure:
            # Whatever a foreign server does wrong is recorded.
            error = str(failure) or type(failure).__name__
        return Delivery(job_id, url, attempt, status, error)
