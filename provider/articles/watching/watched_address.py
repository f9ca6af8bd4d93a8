"""What a feed must be for a watcher to look at it again and again."""

from __future__ import annotations

from urllib.parse import urlsplit

MIN_INTERVAL = 15.0
"""Seconds between two looks at least (ours)."""


def watched_address(feed_url: str) -> str:
    """The address of a feed that is to be watched, without blanks around it (source: ours).

    :param feed_url: as it was given.
    :raises ValueError: it is no web address, or holds a user name or a password.
    """
    text = feed_url.strip()
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        usable = False
    if not usable:
        raise ValueError("must be the http or https address of a feed")
    if "@" in parts.netloc:
        raise ValueError(
            "holds a user name or a password, which Airflow would store and show with the DAG: leave them out, or read "
            "that feed on a schedule, without a watcher"
        )
    return text
