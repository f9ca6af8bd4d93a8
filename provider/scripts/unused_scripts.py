"""How many scripts of a run were not used: its videos are made all the same, and nobody would notice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..quoting import shortened
from .report import METADATA_KEY, OF_ARTICLE

MAX_REASON = 200
"""Characters of the reason that is told (ours); the log of its task has the whole of it."""


def unused_scripts(made: Iterable[Any]) -> str:
    """A sentence on the scripts that were not used; empty where all were (source: ours).

    :param made: what tasks returned that write scripts; what has another shape is passed over.
    """
    reports = [report for report in map(_report, made) if report]
    unused = [report for report in reports if report.get("video_of") == OF_ARTICLE]
    if not unused:
        return ""
    reason = shortened(" ".join(str(unused[0].get("reason") or "").split()), MAX_REASON)
    return (
        f"{len(unused)} of {len(reports)} scripts {'was' if len(unused) == 1 else 'were'} not used, and the article's "
        f"own text was read{f' ({reason})' if reason else ''}."
    )


def _report(made: Any) -> Mapping[str, Any] | None:
    metadata = made.get("metadata") if isinstance(made, Mapping) else None
    report = metadata.get(METADATA_KEY) if isinstance(metadata, Mapping) else None
    return report if isinstance(report, Mapping) else None
