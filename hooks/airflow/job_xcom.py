"""A task tells XCom which job it waits for or works on, so that Airflow's UI can show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import logging

    from airflow.providers.common.compat.sdk import Context

    from ...provider.submission.shown_job import ShownJob


def tell_of_job(context: Context, shown: ShownJob, log: logging.Logger | Any) -> None:
    """Push the job for the UI's page about the task; what cannot be pushed is logged, and the task goes on.

    Source: ours (docs/operate/ui.md).

    :param context: of the task.
    :param shown: the job, and what the page says of it.
    :param log: of the task.
    """
    from ...provider.submission.shown_job import JOB_KEY

    ti: Any = context.get("ti")
    if ti is None:
        return
    try:
        ti.xcom_push(key=JOB_KEY, value=shown.to_json())
    except Exception as unpushed:
        log.warning("Airflow's UI cannot show job %s: no XCom (%s)", shown.job_id, type(unpushed).__name__)
