"""Where a task keeps what must outlive its tries: Airflow's task state store or, below 3.3, the record folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from ...provider.errors import VideoCreationError
from .record_folder import RecordFolder
from .record_storage import record_folder_setting

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context


class TaskStore(Protocol):
    """What the submissions use of Airflow's task state store (source: ours)."""

    def get(self, key: str, default: Any = None) -> Any:
        """What is kept under a key."""

    def set(self, key: str, value: Any) -> None:
        """Keep a JSON value under a key."""


def task_store(context: Context) -> TaskStore | None:
    """Where the records of a task's submissions are kept; None if nowhere (source: ours).

    Airflow's task state store if there is one (3.3 and newer), which the webhook receiver reads. What it does not hold
    is also looked up in the folder: a night that began below 3.3 resumes its jobs.

    :param context: the task's context.
    :return: Airflow's store, with the folder as a fallback if one is set; below 3.3 the folder, or None without one.
    """
    store: Any = context.get("task_state_store")
    folder = record_folder_setting()
    ti = context.get("ti")
    if not folder or ti is None:
        return store  # type: ignore[no-any-return]
    records = RecordFolder(folder, ti)
    return records if store is None else _UpgradedStore(store, records)


class _UpgradedStore:
    """Airflow's store, with the folder that was used before the upgrade as a fallback, which is only read."""

    def __init__(self, store: Any, records: RecordFolder) -> None:
        self._store = store
        self._records = records

    def get(self, key: str, default: Any = None) -> Any:
        found = self._store.get(key)
        if found is not None:
            return found
        try:
            return self._records.get(key, default)
        except VideoCreationError as error:
            raise type(error)(
                f"{error}; Airflow 3.3 and newer keeps records itself: remove the setting if no task is left that "
                "began before the upgrade"
            ) from error

    def set(self, key: str, value: Any) -> None:
        self._store.set(key, value)
