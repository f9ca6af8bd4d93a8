"""What the provider reports to Airflow's own metrics (docs/operate/metrics.md): names, tags, and where they go."""

from __future__ import annotations

from collections import Counter
from typing import Any

from airflow.providers.common.compat.sdk import Stats

FLUSH_AFTER = 10.0
"""Seconds between two reports of a connection's polls and gauges (ours)."""


class ConnectionMetrics:
    """The metrics of one connection in one process.

    :param conn_id: the connection, a tag of every metric.
    :param stats: what takes them; ``triggerer_stats()`` in the triggerer.
    """

    def __init__(self, conn_id: str, stats: Any = Stats) -> None:
        self._conn_id = conn_id
        self._stats = stats
        self._counts: Counter[tuple[str, str]] = Counter()
        self.flush_at = 0.0
        """Epoch seconds from which ``flush`` is due."""

    def count(self, name: str, kind: str = "", **tags: str) -> None:
        """Count something now.

        :param name: of the counter, without ``video_creation.``.
        :param kind: of the job.
        :param tags: further ones.
        """
        self._stats.incr(f"video_creation.{name}", tags=self._tags(kind, tags))

    def count_later(self, name: str, kind: str) -> None:
        """Count something often; it is reported with the next ``flush``.

        :param name: of the counter, without ``video_creation.``.
        :param kind: of the job.
        """
        self._counts[name, kind] += 1

    def time(self, name: str, seconds: float, kind: str = "", **tags: str) -> None:
        """Report how long something took.

        :param name: of the timing, without ``video_creation.``.
        :param seconds: reported in milliseconds, like Airflow's own.
        :param kind: of the job.
        :param tags: further ones.
        """
        self._stats.timing(f"video_creation.{name}", seconds * 1000, tags=self._tags(kind, tags))

    def job_ended(self, kind: str, state: str, delay: float | None, found_by: str) -> None:
        """Report that a wait has ended.

        :param kind: of the job.
        :param state: of the job, or how else the wait ended.
        :param delay: seconds from the job's end until it was seen; None if that cannot be known.
        :param found_by: ``poll`` or ``callback``.
        """
        self.count("jobs_ended", kind, state=state)
        if delay is not None:
            self.time("detection_delay", delay, kind, found_by=found_by)

    def flush(self, now: float, **gauges: float) -> None:
        """Report what was counted, and the current state.

        :param now: epoch seconds.
        :param gauges: by their names without ``video_creation.``.
        """
        self.flush_at = now + FLUSH_AFTER
        counts, self._counts = self._counts, Counter()
        for (name, kind), count in counts.items():
            self._stats.incr(f"video_creation.{name}", count, tags=self._tags(kind, {}))
        for name, value in gauges.items():
            self._stats.gauge(f"video_creation.{name}", value, tags={"video_creation_conn_id": self._conn_id})

    def _tags(self, kind: str, tags: dict[str, str]) -> dict[str, str]:
        return {"video_creation_conn_id": self._conn_id, "kind": kind or "unknown", **tags}


def count_submission(conn_id: str, kind: str, *, attached: bool) -> None:
    """Count a job that a task has submitted, or attaches to.

    :param conn_id: the connection.
    :param kind: of the job.
    :param attached: whether an earlier try submitted it, or it was adopted, so that nothing was sent.
    """
    ConnectionMetrics(conn_id).count("submissions", kind, how="attached" if attached else "submitted")


def triggerer_stats() -> Any:
    """What takes metrics in the triggerer.

    From 3.2 on Airflow has two of them, the core's and the task SDK's, and the triggerer sets up only the core's.
    """
    try:
        from airflow.observability.stats import Stats as core_stats
    except ImportError:  # below Airflow 3.2
        return Stats
    return core_stats
