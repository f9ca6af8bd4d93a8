"""Adds what a task has made to the events that Airflow makes of its outlets when it succeeds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context


def tell_outlets(context: Context, outlets: Iterable[Any], extra: Mapping[str, Any], log: Any) -> None:
    """Add to the event of each asset among the outlets (source: ours).

    :param context: the task's context.
    :param outlets: of the task.
    :param extra: JSON.
    :param log: the task's log.
    """
    from airflow.providers.common.compat.sdk import Asset
    from airflow.sdk.definitions.asset import AssetRef

    for outlet in outlets:
        if isinstance(outlet, Asset | AssetRef):
            context["outlet_events"][outlet].extra.update(extra)
        else:
            log.warning("The outlet %s gets no event about what was made. Give an Asset", outlet)
