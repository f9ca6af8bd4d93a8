"""The assets on whose events can start a DAG: a preview is ready, a video is ready, a job failed.

The events are made when the service tells Airflow that a job has ended (docs/operate/webhooks.md), for the jobs of all
DAGs that submit through the connection. ``provider.webhooks.ready_assets.event_extra`` says what each holds in
``extra``.
"""

from __future__ import annotations

from airflow.providers.common.compat.sdk import Asset

from ..provider.info import DEFAULT_CONNECTION_ID
from ..provider.webhooks.ready_assets import Ready, ready_asset


def preview_ready(video_creation_conn_id: str = DEFAULT_CONNECTION_ID) -> Asset:
    """A storyboard job of the connection is completed (source: ours).

    :param video_creation_conn_id: the connection.
    :return: the asset to schedule a DAG on.
    """
    return _asset("preview_ready", video_creation_conn_id)


def video_ready(video_creation_conn_id: str = DEFAULT_CONNECTION_ID) -> Asset:
    """A render job of the connection is completed (source: ours).

    :param video_creation_conn_id: the connection.
    :return: the asset to schedule a DAG on.
    """
    return _asset("video_ready", video_creation_conn_id)


def job_failed(video_creation_conn_id: str = DEFAULT_CONNECTION_ID) -> Asset:
    """A storyboard or render job of the connection failed, or its result is purged (source: ours).

    :param video_creation_conn_id: the connection.
    :return: the asset to schedule a DAG on.
    """
    return _asset("job_failed", video_creation_conn_id)


def _asset(ready: Ready, conn_id: str) -> Asset:
    asset = ready_asset(ready, conn_id)
    return Asset(name=asset.name, uri=asset.uri)
