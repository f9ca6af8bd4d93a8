"""What this try of the task knows about itself from Airflow's context."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...provider.submission.task_try import OnAmbiguous, TaskTry
from .adopting import map_index_of

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context


def this_try(context: Context, on_ambiguous: OnAmbiguous, *, keeps_records: bool) -> TaskTry:
    """This try of the task.

    :param context: the task's context.
    :param on_ambiguous: as the DAG's author chose.
    :param keeps_records: whether the records of its submissions outlive the try.
    """
    ti: Any = context.get("ti")
    if ti is None:
        return TaskTry(0, keeps_records=keeps_records, on_ambiguous=on_ambiguous)
    # A clear sets max_tries to the tries so far plus the retries; a retry leaves it as it is.
    generation = int(ti.max_tries or 0)
    # Changing retries between two tries makes the first try after a clear look like a retry, or the reverse.
    firsts = (1, generation - (ti.task.retries or 0) + 1)
    return TaskTry(
        generation,
        ti.try_number,
        is_retry=ti.try_number not in firsts,
        is_mapped=map_index_of(ti) >= 0,
        clear_number=getattr(context.get("dag_run"), "clear_number", None),
        keeps_records=keeps_records,
        on_ambiguous=on_ambiguous,
    )
