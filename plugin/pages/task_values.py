"""What one task left behind, read by Airflow's API: only what its page needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...hooks.airflow.public_api import xcom_value, xcoms_path
from ...provider.shown.dag_task import Role
from ...provider.shown.run_instance import DELIVERY_KEY, FAILURE_KEY, RESULT_KEY, RunInstance
from ...provider.submission.shown_job import JOB_KEY
from ...provider.submission.stored_records import RECORD_KEY, RECORDS_KEY
from ...provider.videos.video_shards import shard_key
from ..airflow_api import AirflowApi

FAILED_STATES = ("failed", "up_for_retry")


class TaskValues:
    """Reads the XComs and the store of one task instance.

    :param api: as the user sees it.
    :param path: of the task instance in Airflow's API.
    :param map_index: of the task instance.
    :param instance: what the API says about it.
    """

    def __init__(self, api: AirflowApi, path: str, map_index: int, instance: Mapping[str, Any]) -> None:
        self._api, self._path, self._map_index, self._instance = api, path, map_index, instance

    async def xcom(self, key: str) -> Any:
        """What it pushed; None where it has not.

        :param key: of the XCom.
        """
        return xcom_value(await self._api.get(xcoms_path(self._path, key), map_index=self._map_index))

    async def of_one_job(self, role: Role | None) -> RunInstance:
        """What a task of one video left.

        :param role: of the task; None of another's.
        """
        state = self._instance.get("state")
        xcoms = {JOB_KEY: await self.xcom(JOB_KEY)}
        store = {}
        if role and state in FAILED_STATES:
            xcoms[FAILURE_KEY] = await self.xcom(FAILURE_KEY)
        if role == "download" and state == "success":
            xcoms[DELIVERY_KEY] = await self.xcom(DELIVERY_KEY)
        if role and state == "failed" and not xcoms[FAILURE_KEY]:
            store = await self._stored(RECORDS_KEY if role == "video" else RECORD_KEY)
        return self._left(xcoms, store)

    async def of_many(self, shard: int | None) -> RunInstance:
        """What a task that makes many left: a part of its store, or else its result, which may be large.

        :param shard: the part of its store that is wanted; None where only the result is used.
        """
        store = {} if shard is None else await self._stored(shard_key(shard))
        return self._left({} if store else {RESULT_KEY: await self.xcom(RESULT_KEY)}, store)

    async def _stored(self, key: str) -> dict[str, Any]:
        found = await self._api.get(f"{self._path}/state-store/{key}", map_index=self._map_index)
        return {key: found.get("value")} if isinstance(found, Mapping) else {}

    def _left(self, xcoms: dict[str, Any], store: dict[str, Any]) -> RunInstance:
        instance = self._instance
        return RunInstance(
            str(instance.get("task_id")),
            self._map_index,
            instance.get("state"),
            int(instance.get("try_number") or 0),
            int(instance.get("max_tries") or 0),
            instance.get("rendered_map_index"),
            xcoms,
            store,
        )
