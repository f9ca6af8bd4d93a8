"""The rules for a feed that a watcher polls."""

from __future__ import annotations

from urllib.parse import urlsplit

MIN_INTERVAL = 15.0
"""The fewest seconds between two polls (ours)."""


def watched_address(feed_url: str) -> str:
    """The address of a feed to watch, without blanks around it (source: ours).

    :param feed_url: as it was given.
    :raises ValueError: it is not a web address, or holds a user name or a password.
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
