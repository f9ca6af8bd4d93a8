"""What Airflow loads into each of its processes: the plugin, light enough not to slow a worker down."""

from __future__ import annotations

from typing import Any

from airflow.providers.common.compat.sdk import AirflowPlugin

from ..provider.plugin_paths import RUN_PAGES_PATH, TASK_PAGES_PATH, URL_PREFIX
from .application import PluginApplication

FASTAPI_APPS: list[Any] = [{"app": PluginApplication(), "url_prefix": URL_PREFIX, "name": "Video Creation"}]

# Without a slash at the start, so that it is below Airflow's path prefix, if there is one.
EXTERNAL_VIEWS: list[Any] = [
    {
        "name": "Video",
        "href": f"{TASK_PAGES_PATH[1:]}/{{DAG_ID}}/{{RUN_ID}}/{{TASK_ID}}/{{MAP_INDEX}}",
        "destination": "task_instance",
        "url_route": "video_creation",
    },
    {
        "name": "Videos",
        "href": f"{RUN_PAGES_PATH[1:]}/{{DAG_ID}}/{{RUN_ID}}",
        "destination": "dag_run",
        "url_route": "video_creation_run",
    },
    {
        "name": "Videos",
        "href": f"{RUN_PAGES_PATH[1:]}/{{DAG_ID}}",
        "destination": "dag",
        "url_route": "video_creation_dag",
    },
]


class VideoCreationPlugin(AirflowPlugin):
    """Adds the webhook receiver (docs/operate/webhooks.md), and tabs to tasks, runs and DAGs (docs/operate/ui.md)."""

    name = "video_creation"
    fastapi_apps = FASTAPI_APPS
    external_views = EXTERNAL_VIEWS
