"""What happens to a job between the request that made it and its completion."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable, Coroutine
from typing import Any

from ..conduct.conduct import Conduct
from ..rendering.sound.ssml import shown_as_written, visible_text
from .job import Job, Kind, State, new_id
from .media_links import MediaLinks
from .quota import estimated_seconds
from .state_store import StateStore
from .studio import StoppedError, Studio
from .work import Work

log = logging.getLogger(__name__)

OnFinished = Callable[[Job], Coroutine[None, None, None]]

PLACEHOLDER_SECONDS = 2.0


class JobRunner:
    """Carries out jobs: storyboards side by side, renders in as many slots as there are, first come first served.

    With `job_slots` storyboards take a slot, too.

    :param conduct: says how long jobs take and which go wrong
    :param store: where jobs are kept
    :param studio: makes previews and films
    :param links: knows where media lie
    :param render_slots: videos made at the same time
    :param on_finished: called with each job that has completed or failed and has a webhook
    :param clock: the time in epoch seconds
    :param job_slots: jobs of both kinds under way at the same time, instead of `render_slots`
    """

    def __init__(
        self,
        conduct: Conduct,
        store: StateStore,
        studio: Studio,
        links: MediaLinks,
        render_slots: int,
        on_finished: OnFinished,
        clock: Callable[[], float] = time.time,
        *,
        job_slots: int | None = None,
    ) -> None:
        self._conduct = conduct
        self._store = store
        self._studio = studio
        self._links = links
        self._on_finished = on_finished
        self._clock = clock
        self._slots = asyncio.Semaphore(job_slots or render_slots)
        self._waits_for_slot = ("storyboard", "render") if job_slots else ("render",)
        self._works: dict[str, Work] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._submissions = 0

    def submit(
        self,
        kind: Kind,
        storyboard: dict[str, Any],
        webhook: str | None,
        preview_id: str = "",
        idempotency_key: str | None = None,
    ) -> Job:
        """Accept a job: it is stored, then begins.

        :param kind: what to make
        :param storyboard: the accepted request, wire names
        :param webhook: where the completion is delivered
        :param preview_id: of the storyboard which a render belongs to; a storyboard gets a new one
        :param idempotency_key: kept with the job, so that no moment lies between them
        """
        job = Job(
            job_id=new_id(),
            kind=kind,
            storyboard=storyboard,
            created_at=self._clock(),
            preview_id=preview_id or new_id(),
            webhook=webhook,
            idempotency_key=idempotency_key,
            charged_seconds=estimated_seconds(storyboard) if kind == "render" else 0.0,
            least_seconds=self._draw_seconds(),
            least_polls=self._conduct.behaviour.job_polls,
        )
        fault = self._conduct.faults.for_job(kind, job.video_name)
        if fault:
            job.fate, job.purge_after = fault.kind, fault.seconds or 0.0
            job.error_code, job.error_message = fault.error_code, fault.error_message
        work = self._works[job.job_id] = Work(job)
        if self._is_instant(job):
            self._finish(work)
        else:
            self._store.save_job(job)
            self._begin(self._carry_out(work))
        return job

    def take_up_open_jobs(self) -> None:
        """Go on with what was not done when the emulator was stopped or killed."""
        for job in self._store.open_jobs():
            if job.state == "in-progress":
                log.info("Job %s (%s of %s) is resumed", job.job_id, job.kind, job.video_name)
                work = self._works[job.job_id] = Work(job)
                self._begin(self._carry_out(work))
            else:
                self._begin(self._announce(job))

    async def stop(self) -> None:
        """Give up what is running; it stays in progress and is taken up at the next start."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def poll(self, job_id: str) -> Job | None:
        """Look a job up for a caller who polls, which may be what completes it.

        :param job_id: any string
        """
        work = self._works.get(job_id)
        if work is None:
            return self._store.job(job_id)
        if work.started_at is not None:
            work.polls += 1
            needed = work.job.least_polls
            if needed and work.polls >= needed and work.drawn == 1.0 and work.job.fate != "stall":
                self._finish(work)
        return work.job

    def progress(self, job: Job) -> int:
        """How much of a job is done, in percent.

        :param job: any
        """
        work = self._works.get(job.job_id)
        if work is None:
            return 100
        if work.started_at is None:
            return 0
        waited = (self._clock() - work.started_at) / job.least_seconds if job.least_seconds else 1.0
        polled = work.polls / job.least_polls if job.least_polls else 1.0
        return min(int(100 * min(work.drawn, waited, polled)), 99)

    def set_state(self, job_id: str, state: State) -> Job | None:
        """Let a job complete, fail or be purged now.

        :param job_id: any string
        :param state: not `in-progress`
        """
        work = self._works.get(job_id)
        if work:
            job = work.job
            job.fate = None
            if state == "failed":
                self._fail(
                    work, job.error_code or "STOPPED", job.error_message or "The job was told to fail."
                )
            else:
                self._finish(work)
        else:
            found = self._store.job(job_id)
            if found is None:
                return None
            job = found
        job.state = state
        self._store.save_job(job)
        return job

    def cancel(self, job_id: str) -> bool:
        """Stop a job, which then has failed; tell whether it was still in progress.

        :param job_id: any string
        """
        work = self._works.get(job_id)
        if work is None:
            return False
        self._fail(work, "cancelled", "The job was cancelled by its owner.")
        return True

    def forget_all(self) -> None:
        """Forget every job, as if it had never been."""
        for task in self._tasks:
            task.cancel()
        for work in self._works.values():
            work.over.set()
        self._works.clear()
        self._submissions = 0
        self._store.delete_everything()

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _draw_seconds(self) -> float:
        self._submissions += 1
        behaviour = self._conduct.behaviour
        chance = random.Random(f"{behaviour.seed}/seconds/{self._submissions}")  # noqa: S311 - not a secret
        return behaviour.least_seconds * chance.lognormvariate(0, behaviour.job_spread)

    def _is_instant(self, job: Job) -> bool:
        takes_time = job.least_seconds or job.least_polls or job.fate == "stall"
        return self._conduct.behaviour.instant and not takes_time

    async def _carry_out(self, work: Work) -> None:
        if work.job.kind in self._waits_for_slot:
            async with self._slots:
                await self._make(work)
        else:
            await self._make(work)

    async def _make(self, work: Work) -> None:
        """Do the work of a job, and take at least as long as it should."""
        job = work.job
        if work.over.is_set():
            # It was ended while it waited for its slot.
            return
        # The time of a job counts from the moment it gets its slot, or from its submission when it needs none.
        work.started_at = self._clock() if job.kind in self._waits_for_slot else job.created_at
        try:
            await self._draw(work)
        except StoppedError:
            return
        except Exception as error:
            if work.over.is_set():
                return
            log.exception("Job %s (%s of %s) failed", job.job_id, job.kind, job.video_name)
            job.fate, job.error_code, job.error_message = "fail", type(error).__name__, str(error)
        work.drawn = 1.0
        waits_for_others = job.fate == "stall" or job.least_polls
        left = None if waits_for_others else max(work.started_at + job.least_seconds - self._clock(), 0)
        try:
            async with asyncio.timeout(left):
                await work.over.wait()
        except TimeoutError:
            self._finish(work)

    async def _draw(self, work: Work) -> None:
        job = work.job
        if self._conduct.behaviour.instant or job.fate in ("fail", "stall"):
            return
        storyboard = self._as_read(job.storyboard)
        folder = self._links.folder_of(job.job_id)
        if job.kind == "storyboard":
            preview = await self._studio.make_preview(storyboard, folder, work.note)
            job.seconds, job.scenes, job.notes = preview.seconds, preview.scenes, preview.notes
        else:
            job.seconds = await self._studio.make_film(storyboard, folder, work.note)
        job.has_media = True

    def _fail(self, work: Work, code: str, message: str) -> None:
        job = work.job
        job.fate, job.error_code, job.error_message = "fail", code, message
        self._finish(work)

    def _finish(self, work: Work) -> None:
        """Store the outcome and let the webhook know."""
        job = work.job
        job.state, job.finished_at = ("failed" if job.fate == "fail" else "completed"), self._clock()
        if job.state == "completed":
            job.error_code = job.error_message = None
            if not job.has_media:
                job.seconds, job.scenes = PLACEHOLDER_SECONDS, _undrawn_scenes(self._as_read(job.storyboard))
        self._store.save_job(job)
        self._works.pop(job.job_id, None)
        work.over.set()
        if job.webhook:
            self._begin(self._announce(job))

    def _as_read(self, storyboard: dict[str, Any]) -> dict[str, Any]:
        """The storyboard as this service reads its texts."""
        if self._conduct.behaviour.dialect.decodes_text:
            return storyboard
        scenes = [
            {**scene, "text": shown_as_written(scene["text"])} if "text" in scene else scene
            for scene in storyboard.get("scenes", [])
        ]
        return {**storyboard, "scenes": scenes}

    async def _announce(self, job: Job) -> None:
        await self._on_finished(job)
        now = self._store.job(job.job_id)
        if now:
            now.is_announced = True
            self._store.save_job(now)


def _undrawn_scenes(storyboard: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "text": visible_text(scene.get("text", "")),
            "seconds": scene.get("minimumDuration", PLACEHOLDER_SECONDS),
        }
        for scene in storyboard.get("scenes", [])
    ]
