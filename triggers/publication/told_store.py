"""Where a watcher keeps what it has reported: in its assets' state store or, below Airflow 3.3, in a Variable."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from asgiref.sync import sync_to_async

from ...hooks.articles.memory import ArticleMemory
from ...provider.articles.selection.memory import Memory
from ...provider.articles.selection.memory_document import read_memory, write_memory
from ...provider.errors import ArticleMemoryError
from ...provider.quoting import quotable

log = logging.getLogger(__name__)


class VariableStore:
    """Keeps it in an Airflow Variable (source: ours).

    :param key: of the Variable.
    """

    def __init__(self, key: str) -> None:
        self._memory = ArticleMemory(key)

    async def load(self) -> Memory:
        """Return what was reported, or an empty memory if nothing is kept.

        :raises ArticleMemoryError: Airflow cannot read it, or something else is kept there.
        """
        return await sync_to_async(self._memory.load)()

    async def save(self, memory: Memory) -> None:
        """Replace what was reported.

        :param memory: all of it.
        :raises ArticleMemoryError: Airflow cannot store it.
        """
        await sync_to_async(self._memory.keep)(memory)


class AssetStore:
    """Keeps it in the state store of each asset that the watcher belongs to (source: ours).

    One trigger serves all assets whose watchers are the same. Each store keeps everything, so that an asset may be
    removed.

    :param assets: ``AssetStateStoreAccessor`` of each.
    :param key: in their stores.
    """

    def __init__(self, assets: list[Any], key: str) -> None:
        self._assets = assets
        self._key = key
        self._failed: set[int] = set()

    async def load(self) -> Memory:
        """Return what was reported at the latest poll that any asset knows of, or an empty memory if nothing is kept.

        :raises ArticleMemoryError: Airflow cannot read it, or something else is kept there.
        """
        where = f"{self._key!r} in the state store of an asset"
        kept = [await self._reached("read", _get(asset, self._key)) for asset in self._assets]
        memories = [read_memory(text, where=where) for text in kept if text is not None]
        looked = [memory for memory in memories if memory.looked]
        return max(looked, key=lambda memory: memory.looked or 0, default=Memory())

    async def save(self, memory: Memory) -> None:
        """Replace what was reported.

        :param memory: all of it.
        :raises ArticleMemoryError: Airflow cannot store it for any of the assets.
        """
        text = write_memory(memory)
        failed: dict[int, ArticleMemoryError] = {}
        # A removed asset must not keep the others from it.
        for place, asset in enumerate(self._assets):
            try:
                await self._reached("written", _set(asset, self._key, text))
            except ArticleMemoryError as error:
                failed[place] = error
        if len(failed) == len(self._assets):
            raise failed[0]
        for place in failed.keys() - self._failed:
            log.warning("%s The other assets of this watcher keep them.", failed[place])
        self._failed = set(failed)

    async def _reached(self, done: str, work: Any) -> Any:
        try:
            return await work
        # The Task SDK has its own errors, which differ between releases of Airflow.
        except Exception as error:
            raise ArticleMemoryError(
                f"{self._key!r} in the state store of an asset, which keeps the reported entries of a feed, could not "
                f"be {done} ({type(error).__name__}: {quotable(str(error))}). This is tried again."
            ) from None


def told_store(asset_state_store: Any, *, key: str, variable: str) -> VariableStore | AssetStore:
    """Return where a watcher keeps what it has reported (source: ours).

    :param asset_state_store: what Airflow gave the trigger, None for nothing.
    :param key: in an asset's state store.
    :param variable: key of the Variable that is used instead.
    """
    # Airflow offers no other way to the stores of a trigger that serves several assets.
    by_name, by_uri = (getattr(asset_state_store, name, None) or {} for name in ("_by_name", "_by_uri"))
    if assets := [*by_name.values(), *by_uri.values()]:
        return AssetStore(assets, key)
    return VariableStore(variable)


async def _get(asset: Any, key: str) -> Any:
    # Airflow 3.3.0 and 3.3.1 have only blocking calls.
    return await (asset.aget(key) if hasattr(asset, "aget") else asyncio.to_thread(asset.get, key))


async def _set(asset: Any, key: str, value: str) -> None:
    await (asset.aset(key, value) if hasattr(asset, "aset") else asyncio.to_thread(asset.set, key, value))
