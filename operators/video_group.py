"""The building block for many videos: from a storyboard to a delivered video, with one task for each step."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from airflow.providers.common.compat.sdk import task_group

from ..hooks.airflow.errors import airflow_errors
from ..provider.errors import ConfigurationError
from ..provider.info import DEFAULT_CONNECTION_ID
from ..provider.waiting.time_limits import DEFAULT_TIMEOUT
from .download import DownloadVideoOperator
from .render import RenderVideoOperator
from .storyboard import VIDEO_NAME_KEY, CreateStoryboardOperator

if TYPE_CHECKING:
    from ..provider.submission.task_try import OnAmbiguous


@task_group
def video_from_storyboard(
    storyboard: Any,
    destination: Any,
    video_creation_conn_id: str = DEFAULT_CONNECTION_ID,
    user_id: str | None = None,
    deferrable: bool = True,
    poll_interval: float | timedelta | None = None,
    timeout: float | timedelta = DEFAULT_TIMEOUT,
    on_ambiguous: OnAmbiguous = "fail",
    stop_after: int | None = 3,
    cancel_on_kill: bool | None = None,
    cancel_on_timeout: bool = False,
    adopt_storyboard_job_id: str | None = None,
    adopt_render_job_id: str | None = None,
    download: Mapping[str, Any] | None = None,
) -> Any:
    """Submits a storyboard, waits, renders, waits and delivers the video (source: ours).

    Its tasks are ``create_storyboard``, ``render_video`` and ``download_video``: clearing one of them with the tasks
    after it does not repeat, or pay again for, an earlier step. For many:
    ``video_from_storyboard.partial(destination=...) .expand(storyboard=plan.output)``; a video that fails does not stop
    the others. Retries, pools and similar settings come from the DAG's ``default_args`` or from
    ``video_from_storyboard.override(default_args={...})``. Videos in one folder need different names (``videoName``),
    or the last one delivered replaces the others. ``PlanVideosOperator`` makes sure of that.

    :param storyboard: as in ``CreateStoryboardOperator``.
    :param destination: as in ``DownloadVideoOperator``; in a folder, which ends with a slash, the file is named after
        the storyboard's videoName. Templated.
    :param video_creation_conn_id: the connection. Templated.
    :param user_id: fills the user-id header instead of the connection's ``user_id``. Templated.
    :param deferrable: wait in the triggerer. The default is True here, since a group is made for many videos; a single
        operator uses ``[operators] default_deferrable``.
    :param poll_interval: seconds between polls. Default: a schedule that learns from the connection's jobs
        (docs/measured/polling.md).
    :param timeout: how many seconds each of the two waits may take, default 2 hours each; ``CreateVideoOperator``
        counts both together.
    :param on_ambiguous: what a retry does when an earlier try may have submitted the job: ``fail``, or ``resubmit`` and
        perhaps pay twice.
    :param stop_after: stop sending once this many others of the run have failed for a cause that they all share. None:
        never stop.
    :param cancel_on_kill: as in ``CreateStoryboardOperator``.
    :param cancel_on_timeout: cancel a job when its ``timeout`` is over.
    :param adopt_storyboard_job_id: a storyboard job that was found at the service after a submission in doubt; no
        storyboard is sent. Templated: in a mapped group give it to ``partial``, with a template for one map index.
    :param adopt_render_job_id: a render job that was found there; nothing is sent. Templated.
    :param download: further arguments of ``DownloadVideoOperator``, such as ``subtitles``, ``thumbnail``, ``sidecar``,
        ``metadata`` and ``outlets``. It is one dict for all videos: give it to ``partial``, not to ``expand``.
    :return: what ``DownloadVideoOperator`` returns.
    :raises ConfigurationError: an argument is wrong, or ``download`` is not a dict.
    """
    if not isinstance(download, Mapping | None):
        with airflow_errors():
            raise ConfigurationError(
                "video_from_storyboard takes download= as a dict of DownloadVideoOperator's arguments, such as "
                f"{{'sidecar': True}}, not as {type(download).__name__}; with a mapped group, give it to partial()."
            )
    connection: dict[str, Any] = {"video_creation_conn_id": video_creation_conn_id, "user_id": user_id}
    job: dict[str, Any] = {
        **connection,
        "wait_for_completion": True,
        "deferrable": deferrable,
        "poll_interval": poll_interval,
        "timeout": timeout,
        "on_ambiguous": on_ambiguous,
        "stop_after": stop_after,
        "cancel_on_kill": cancel_on_kill,
        "cancel_on_timeout": cancel_on_timeout,
    }
    create = CreateStoryboardOperator(
        task_id="create_storyboard",
        storyboard=storyboard,
        map_index_template="{{ task.video_name }}",
        adopt_job_id=adopt_storyboard_job_id,
        **job,
    )
    create.adopt_argument = "adopt_storyboard_job_id"
    pulled = f"ti.xcom_pull(task_ids='{create.task_id}', key='{VIDEO_NAME_KEY}', map_indexes=ti.map_index)"
    name = f"{{{{ {pulled} or '' }}}}"
    render = RenderVideoOperator(
        task_id="render_video",
        storyboard_job_id=create.output,
        video_name=name,
        map_index_template="{{ task.video_name }}",
        adopt_job_id=adopt_render_job_id,
        **job,
    )
    render.adopt_argument = "adopt_render_job_id"
    delivered = DownloadVideoOperator(
        task_id="download_video",
        job_id=render.output,
        destination=destination,
        video_name=name,
        map_index_template="{{ task.video_name }}",
        **connection,
        **(download or {}),
    )
    return delivered.output
