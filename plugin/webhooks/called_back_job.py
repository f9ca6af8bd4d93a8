"""What is done in Airflow, once, about a job whose end the service has reported.

1. *Mark*: the callback is stored beside the submission's record, unannounced. A task that died while it submitted
   finds its job there.
2. *Wake*: an XCom of the task names the job; whoever waits for it polls at once.
3. *Announce*: an event of the asset, where a DAG names that asset. The DAGs that it starts may pay. Airflow queues a
   DAG at the first event, and gives its run no event that came after that: those would wait for the next one, and the
   last of a night for the next night. So what is queued is taken back just before each event, which queues it again.
4. *Mark* as announced.

When several processes are called at the same time, the one whose mark is stored last continues. One that was not the
first to wake gives the other time to finish, and looks for its event. (Airflow takes an XCom twice from two that ask
within a few milliseconds, so that alone does not tell two callers apart.)

A call that comes after one that died in between continues where that one was: for a while it is taken to be still at
work, and after that its event is looked for before another is made.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from ...hooks.airflow.public_api import ASSETS_PATH, PAGE_SIZE, task_instance_path, xcoms_path
from ...provider.models.job import Job
from ...provider.submission.stored_records import RECORDS_KEY, record_json, record_key
from ...provider.videos.video_shards import record_in_shard, shard_key, shard_of_stage
from ...provider.webhooks.callback import Callback, NamedJob, callback_key, called_back_xcom_key, named_job
from ...provider.webhooks.ready_assets import asset_of, event_extra
from ...provider.webhooks.webhook_url import MAX_AHEAD, Submitter, WebhookRefusedError
from ..airflow_api import AirflowApi, AirflowApiError

log = logging.getLogger(__name__)

AT_WORK_SECONDS = 30.0
"""How long a call that has not announced its job is assumed to be still working (ours)."""
SETTLE_SECONDS = 1.0
"""How long a call that is not the first gives another to finish making its event (ours)."""
SAME_EVENT = ("job_id", "dag_id", "run_id", "task_id", "map_index")
"""What distinguishes the event of one job from another's (ours)."""


class AtWorkError(Exception):
    """Another call for the same job is being worked on, or died a moment ago.

    :param seconds: after which to come again.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class CalledBackJob:
    """One submission's job, about which the service has called.

    :param api: as the receiver's identity sees it.
    :param submitter: verified.
    :param clock: gives epoch seconds.
    :param emitting: held while an event is made, by whomever.
    :param settle_seconds: what is left to another call to make its event, where this one is not the first.
    """

    def __init__(
        self,
        api: AirflowApi,
        submitter: Submitter,
        clock: Callable[[], float],
        emitting: asyncio.Lock,
        settle_seconds: float = SETTLE_SECONDS,
    ) -> None:
        self._api = api
        self._settle_seconds = settle_seconds
        self._emitting = emitting
        self._submitter = submitter
        self._clock = clock
        self._task = task_instance_path(submitter.dag_id, submitter.run_id, submitter.task_id)
        self._before: Callback | None = None

    async def to_announce(self, payload_job_id: str | None) -> NamedJob | None:
        """The job that is to be announced; None when that was done.

        :param payload_job_id: what the call says; None for nothing.
        :raises WebhookRefusedError: ``task`` or ``job``.
        :raises AtWorkError: another call may be doing it.
        :raises AirflowApiError: Airflow cannot say.
        """
        named = named_job(
            await self._record(),
            self._submitter,
            payload_job_id,
        )
        before = Callback.from_json(await self._stored(callback_key(self._submitter.stage)))
        if before is None or before.begun_at != self._submitter.begun_at:
            return named
        if before.job_id != named.job_id:
            if named.of_intent:
                raise WebhookRefusedError("job")
            return named
        if before.announced:
            return None
        left = before.at + AT_WORK_SECONDS - self._clock()
        # A mark dated further ahead than clocks differ came from a wrong clock, and would never be old enough.
        if 0 < left <= AT_WORK_SECONDS + MAX_AHEAD:
            raise AtWorkError(min(left, AT_WORK_SECONDS))
        self._before = before
        return named

    async def announce(self, job: Job) -> None:
        """Mark, wake, announce, mark.

        :param job: as it was read at the service, at its end.
        :raises AtWorkError: another process does it.
        :raises WebhookRefusedError: ``task``: it is gone.
        :raises AirflowApiError: Airflow did not take it all.
        """
        mark = Callback(
            self._submitter.begun_at, job.job_id, announced=False, at=self._clock(), by=secrets.token_hex(8)
        )
        await self._store(mark)
        try:
            woke = await self._wake(job.job_id)
            await self._emit(job, mark, is_first=woke and self._before is None)
        except AirflowApiError:
            # Airflow has answered, so no call is working any more: the next one need not wait.
            await self._store(replace(mark, at=mark.at - AT_WORK_SECONDS))
            raise
        await self._store(replace(mark, announced=True, by=""))

    async def _wake(self, job_id: str) -> bool:
        """Wake the waits; whether this call is the first that does."""
        entry = {
            "key": called_back_xcom_key(job_id),
            "value": {"at": self._clock()},
            "map_index": self._submitter.map_index,
        }
        reply = await self._api.call("POST", xcoms_path(self._task), json=entry, also=(404, 409))
        # 404: the DAG no longer has such a task; polling goes on.
        return reply.status not in (404, 409)

    async def _emit(self, job: Job, mark: Callback, *, is_first: bool) -> None:
        asset = asset_of(job, self._submitter)
        found = await self._api.get(ASSETS_PATH, uri_pattern=asset.uri, limit=PAGE_SIZE)
        ids = [item["id"] for item in (found or {}).get("assets", []) if item["uri"] == asset.uri]
        extra = event_extra(job, self._submitter)
        if not ids:
            return
        if not is_first:
            await asyncio.sleep(self._settle_seconds)
        event = {"asset_id": ids[0], "extra": extra}
        async with self._emitting:
            stands = Callback.from_json(await self._stored(callback_key(self._submitter.stage)))
            if stands is None or stands.by != mark.by:
                raise AtWorkError(AT_WORK_SECONDS)
            if not is_first and await self._has_event(ids[0], extra):
                return
            await self._api.call("DELETE", f"{ASSETS_PATH}/{ids[0]}/queuedEvents", also=(404,))
            await self._api.call("POST", f"{ASSETS_PATH}/events", json=event)
        log.info(
            "Job %s has ended (%s); an event of the asset %s announces it", job.job_id, job.state, asset.name
        )

    async def _has_event(self, asset_id: int, extra: Mapping[str, Any]) -> bool:
        """Whether the job has its event, by whichever of the calls since its submission: each dates the mark again."""
        wanted = {name: extra[name] for name in SAME_EVENT}
        began = datetime.fromtimestamp(self._submitter.begun_at - MAX_AHEAD, UTC).isoformat()
        seen = 0
        while True:
            page = await self._api.get(
                f"{ASSETS_PATH}/events",
                asset_id=asset_id,
                timestamp_gte=began,
                order_by="timestamp",
                limit=PAGE_SIZE,
                offset=seen,
            )
            news = page["asset_events"] if page else []
            if any(wanted.items() <= (event.get("extra") or {}).items() for event in news):
                return True
            # A page may be shorter than requested: a deployment limits how much Airflow returns.
            if not news:
                return False
            seen += len(news)

    async def _record(self) -> Any:
        """The submission's record as JSON, or as release 0.1.0 kept it."""
        stage = self._submitter.stage
        if (shard := shard_of_stage(stage)) is not None:
            return record_in_shard(await self._stored(shard_key(shard)), stage)
        stored = await self._stored(RECORDS_KEY) if stage else None
        return await self._stored(record_key(stage)) if stored is None else record_json(stored, stage)

    async def _stored(self, key: str) -> Any:
        entry = await self._api.get(f"{self._task}/state-store/{key}", map_index=self._submitter.map_index)
        return None if entry is None else entry["value"]

    async def _store(self, mark: Callback) -> None:
        reply = await self._api.call(
            "PUT",
            f"{self._task}/state-store/{callback_key(self._submitter.stage)}",
            params={"map_index": self._submitter.map_index},
            json={"value": mark.to_json()},
            also=(404,),
        )
        if reply.status == 404:
            raise WebhookRefusedError("task")
