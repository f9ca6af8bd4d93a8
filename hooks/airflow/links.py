"""The buttons of a task in Airflow's UI that lead to the preview and to the video of its job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from airflow.providers.common.compat.sdk import BaseOperatorLink, conf

from ...provider.plugin_paths import TASK_PAGES_PATH

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import BaseOperator


class PreviewLink(BaseOperatorLink):
    """Leads to the preview of the task's storyboard job (source: ours).

    The link never expires: it leads to a page of this provider's plugin, which checks who asks, reads the job and leads
    on to the preview, whose own URL does expire.
    """

    name = "Preview"

    def get_link(self, operator: BaseOperator, *, ti_key: Any) -> str:
        """The address of the page; works while the task runs or is deferred, and after it.

        :param operator: of the task.
        :param ti_key: of the task instance.
        """
        return page_url(ti_key, "preview")


class VideoLink(BaseOperatorLink):
    """Leads to the video of the task's render job (source: ours), as ``PreviewLink`` to the preview."""

    name = "Video"

    def get_link(self, operator: BaseOperator, *, ti_key: Any) -> str:
        """The address of the page; works while the task runs or is deferred, and after it.

        :param operator: of the task.
        :param ti_key: of the task instance.
        """
        return page_url(ti_key, "video")


def page_url(ti_key: Any, page: str) -> str:
    """The address of a page about a task instance, below ``[api] base_url``.

    :param ti_key: of the task instance.
    :param page: ``preview`` or ``video``.
    """
    base_url = str(conf.get("api", "base_url", fallback="/")).rstrip("/")
    identity = (ti_key.dag_id, ti_key.run_id, ti_key.task_id, str(ti_key.map_index), page)
    return "/".join([base_url + TASK_PAGES_PATH, *(quote(part, safe="") for part in identity)])
