"""A task writes to XCom which job it waits for or works on, so that Airflow's UI can show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import logging

    from airflow.providers.common.compat.sdk import Context

    from ...provider.submission.shown_job import ShownJob


def tell_of_job(context: Context, shown: ShownJob, log: logging.Logger | Any) -> None:
    """Push the job for the UI's page about the task; if it cannot be pushed, that is logged, and the task continues.

    Source: ours (docs/operate/ui.md).

    :param context: the task's context.
    :param shown: the job, and what the page says about it.
    :param log: the task's log.
    """
    from ...provider.submission.shown_job import JOB_KEY

    ti: Any = context.get("ti")
    if ti is None:
        return
    try:
        ti.xcom_push(key=JOB_KEY, value=shown.to_json())
    except Exception as unpushed:
        log.warning(
            "Airflow's UI cannot show job %s: it could not be written to XCom (%s)",
            shown.job_id,
            type(unpushed).__name__,
        )
