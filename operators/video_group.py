"""The building block for many: from a storyboard to a video in its place, one task a step."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import task_group

from ..provider.info import DEFAULT_CONNECTION_ID
from ..provider.waiting.time_limits import DEFAULT_TIMEOUT
from .download import DownloadVideoOperator
from .render import RenderVideoOperator
from .storyboard import CreateStoryboardOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context

NAME_KEY = "video_name"
"""Under which the group's first task pushes the video's name, for those after it."""


@task_group
def video_from_storyboard(
    storyboard: Any,
    destination: Any,
    video_creation_conn_id: str = DEFAULT_CONNECTION_ID,
    user_id: str | None = None,
    deferrable: bool = True,
    poll_interval: float | timedelta | None = None,
    timeout: float | timedelta = DEFAULT_TIMEOUT,
    stop_after: int | None = 3,
) -> Any:
    """Submits a storyboard, waits, renders, waits and delivers the video (source: ours).

    Its tasks are ``create_storyboard``, ``render_video`` and ``download_video``: clearing one of them with what
    follows repeats, and pays for, nothing before it. For many: ``video_from_storyboard.partial(destination=...)
    .expand(storyboard=plan.output)``; one that fails stops no other. Retries, pools and the like come from the DAG's
    ``default_args`` or from ``video_from_storyboard.override(default_args={...})``.

    :param storyboard: as of ``CreateStoryboardOperator``.
    :param destination: as of ``DownloadVideoOperator``; in a folder, which ends with a slash, the file is named after
        the storyboard's videoName. Templated.
    :param video_creation_conn_id: the connection. Templated.
    :param user_id: fills the user-id header instead of the connection's ``user_id``. Templated.
    :param deferrable: wait in the triggerer.
    :param poll_interval: seconds between polls; absent: a schedule that learns (docs/polling.md).
    :param timeout: seconds until each of the two waits is over, default 2 hours.
    :param stop_after: send nothing any more once so many others of the run failed for a cause that all share; None:
        never stop.
    :return: what ``DownloadVideoOperator`` returns.
    """
    connection: dict[str, Any] = {"video_creation_conn_id": video_creation_conn_id, "user_id": user_id}
    job: dict[str, Any] = {
        **connection,
        "wait_for_completion": True,
        "deferrable": deferrable,
        "poll_interval": poll_interval,
        "timeout": timeout,
        "stop_after": stop_after,
    }
    create = CreateStoryboardOperator(
        task_id="create_storyboard",
        storyboard=storyboard,
        on_execute_callback=_push_name,
        map_index_template="{{ task.video_name }}",
        **job,
    )
    name = f"{{{{ ti.xcom_pull(task_ids='{create.task_id}', key='{NAME_KEY}', map_indexes=ti.map_index) or '' }}}}"
    render = RenderVideoOperator(
        task_id="render_video",
        storyboard_job_id=create.output,
        video_name=name,
        map_index_template="{{ task.video_name }}",
        **job,
    )
    download = DownloadVideoOperator(
        task_id="download_video",
        job_id=render.output,
        destination=destination,
        video_name=name,
        map_index_template="{{ task.video_name }}",
        **connection,
    )
    return download.output


def _push_name(context: Context) -> None:
    ti: Any = context["ti"]
    if name := ti.task.video_name:
        ti.xcom_push(key=NAME_KEY, value=name)
