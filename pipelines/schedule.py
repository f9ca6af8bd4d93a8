"""When a pipeline runs: by the clock, when its feed publishes something, both, or only when it is triggered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from airflow.sdk import Asset

    from ..provider.pipelines.parts import Watch
    from ..provider.pipelines.settings import PipelineSettings


def schedule_of(settings: PipelineSettings) -> Any:
    """The DAG's ``schedule``.

    :param settings: of the pipeline.
    """
    if not settings.watch:
        return settings.schedule
    published = _published(settings, settings.watch)
    if not settings.schedule:
        return published
    try:
        from airflow.sdk import AssetOrTimeSchedule, CronTriggerTimetable
    except ImportError:  # below Airflow 3.2
        from airflow.timetables.assets import AssetOrTimeSchedule  # type: ignore[assignment]
        from airflow.timetables.trigger import CronTriggerTimetable  # type: ignore[assignment]

    clock = CronTriggerTimetable(settings.schedule, timezone=settings.timezone)
    return AssetOrTimeSchedule(timetable=clock, assets=[published])


def _published(settings: PipelineSettings, watch: Watch) -> Asset:
    from airflow.sdk import Asset, AssetWatcher

    from ..triggers.feed import FeedEventTrigger

    trigger = FeedEventTrigger(
        settings.feed_url or "",
        poll_interval=watch.poll_interval,
        respect_ttl=watch.respect_ttl,
        respect_robots=settings.respect_robots,
        allow_private_addresses=settings.allow_private_addresses,
        # Another pipeline may watch the same feed.
        remember=f"feed_told.{settings.dag_id}",
    )
    return Asset(f"{settings.dag_id}.published", watchers=[AssetWatcher(name="feed", trigger=trigger)])
