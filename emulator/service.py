"""The parts of a running emulator, put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from starlette.requests import Request

from .conduct.conduct import Conduct
from .credentials import TokenIssuer
from .jobs.job import Job
from .jobs.job_reply import job_reply
from .jobs.job_runner import JobRunner
from .jobs.media_links import MediaLinks
from .jobs.state_store import StateStore
from .jobs.studio import Studio
from .jobs.webhooks import Webhooks
from .settings import Settings

MAX_FILMS = 2
"""Films drawn at the same time, however many slots there are: more would only share the same processors."""


@dataclass(frozen=True)
class Service:
    """What the routes work with.

    :param base_url: in the links that webhooks deliver
    :param placeholder_lock: held while the media of instant jobs are made
    """

    settings: Settings
    conduct: Conduct
    base_url: str
    store: StateStore
    links: MediaLinks
    tokens: TokenIssuer
    webhooks: Webhooks
    studio: Studio
    runner: JobRunner
    placeholder_lock: asyncio.Lock = field(default_factory=asyncio.Lock)


def service_of(request: Request) -> Service:
    """Return the service which a request came to.

    :param request: any
    """
    return cast(Service, request.app.state.service)


def caller_base_url(request: Request) -> str:
    """Return the emulator's address as the caller of `request` knows it, without a slash at the end.

    :param request: any
    """
    return f"{request.url.scheme}://{request.url.netloc}"


@asynccontextmanager
async def run_service(
    settings: Settings, base_url: str, folder: Path, store: StateStore
) -> AsyncIterator[Service]:
    """Start the service, and take up the jobs which an earlier run left unfinished.

    :param settings: the emulator's
    :param base_url: where it is reached
    :param folder: where media are kept
    :param store: where jobs are kept
    """
    links = MediaLinks(folder, store.key("media"))
    webhooks = Webhooks(allow_private_networks=settings.allow_private_networks)
    conduct = Conduct(settings.behaviour())
    # One thread more than films, so that previews do not wait for them.
    studio = Studio(
        min(settings.render_slots, MAX_FILMS) + 1,
        allow_private_networks=settings.allow_private_networks,
        media_folder=settings.media_folder,
        s3_endpoint=settings.s3_endpoint,
    )

    async def announce(job: Job) -> None:
        if job.webhook:
            completion = conduct.behaviour.dialect.job(job_reply(job, 100, base_url, links))
            await webhooks.deliver(job.webhook, job.job_id, completion)

    runner = JobRunner(
        conduct, store, studio, links, settings.render_slots, announce, job_slots=settings.job_slots
    )
    tokens = TokenIssuer(store.key("tokens"))
    try:
        runner.take_up_open_jobs()
        yield Service(settings, conduct, base_url, store, links, tokens, webhooks, studio, runner)
    finally:
        await runner.stop()
        # Threads end at their next frame; the loop goes on so that they can.
        await asyncio.to_thread(studio.close)
