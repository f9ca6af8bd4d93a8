"""Airflow's own application, as a request to the plugin finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starlette.requests import Request

AIRFLOW_APP = "video_creation.airflow_app"
"""The key in the scope of a request for Airflow's application, below which the plugin is mounted."""


def airflow_app(request: Request) -> Any:
    """Airflow's application, below which the plugin is mounted; None when it is served by itself.

    :param request: to the plugin.
    """
    return request.scope.get(AIRFLOW_APP)
