"""What this try of the task knows of itself, by Airflow's context."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...provider.submission.task_try import OnAmbiguous, TaskTry
from .adopting import map_index_of

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context


def this_try(context: Context, on_ambiguous: OnAmbiguous, *, keeps_records: bool) -> TaskTry:
    """This try of the task.

    :param context: of the task.
    :param on_ambiguous: as the author of the DAG says.
    :param keeps_records: whether something outlives the try that tells what it submitted.
    """
    ti: Any = context.get("ti")
    if ti is None:
        return TaskTry(0, keeps_records=keeps_records, on_ambiguous=on_ambiguous)
    # A clear sets max_tries to the tries so far plus the retries; a retry leaves it as it is.
    generation = int(ti.max_tries or 0)
    # Whoever changes retries between two tries makes the first try of a clear look like a retry, or the reverse.
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
