"""The buttons of a task in Airflow's UI that lead to the preview and to the video of its job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from airflow.providers.common.compat.sdk import BaseOperatorLink, conf

from ...provider.plugin_paths import RUN_TAB, TASK_PAGES_PATH

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import BaseOperator


class PreviewLink(BaseOperatorLink):
    """Links to the preview of the task's storyboard job (source: ours).

    The link never expires: it leads to a page of this provider's plugin, which checks who asks, reads the job and
    redirects to the preview, whose own URL does expire.
    """

    name = "Preview"

    def get_link(self, operator: BaseOperator, *, ti_key: Any) -> str:
        """The address of the page; works while the task runs or is deferred, and afterwards.

        :param operator: the task's operator.
        :param ti_key: the task instance's key.
        """
        return page_url(ti_key, "preview")


class VideoLink(BaseOperatorLink):
    """Links to the video of the task's render job (source: ours), as ``PreviewLink`` does to the preview."""

    name = "Video"

    def get_link(self, operator: BaseOperator, *, ti_key: Any) -> str:
        """The address of the page; works while the task runs or is deferred, and afterwards.

        :param operator: the task's operator.
        :param ti_key: the task instance's key.
        """
        return page_url(ti_key, "video")


def page_url(ti_key: Any, page: str) -> str:
    """The address of a page about a task instance, below ``[api] base_url``.

    :param ti_key: the task instance's key.
    :param page: ``preview`` or ``video``.
    """
    identity = (ti_key.dag_id, ti_key.run_id, ti_key.task_id, str(ti_key.map_index), page)
    return "/".join([_base_url() + TASK_PAGES_PATH, *map(_quoted, identity)])


def run_tab_url(dag_id: str, run_id: str) -> str:
    """The address of the tab "Videos" of a run in Airflow's UI, below ``[api] base_url``.

    :param dag_id: the DAG.
    :param run_id: the run.
    """
    return f"{_run_url(dag_id, run_id)}/plugin/{RUN_TAB}"


def log_url(dag_id: str, run_id: str, task_id: str, map_index: int = -1) -> str:
    """The address of a task's log in Airflow's UI, that of its latest try.

    :param dag_id: the DAG.
    :param run_id: the run.
    :param task_id: the task.
    :param map_index: of a mapped task.
    """
    mapped = f"/mapped/{map_index}" if map_index >= 0 else ""
    return f"{_run_url(dag_id, run_id)}/tasks/{_quoted(task_id)}{mapped}"


def _run_url(dag_id: str, run_id: str) -> str:
    return f"{_base_url()}/dags/{_quoted(dag_id)}/runs/{_quoted(run_id)}"


def _base_url() -> str:
    return str(conf.get("api", "base_url", fallback="/")).rstrip("/")


def _quoted(part: str) -> str:
    return quote(part, safe="")
