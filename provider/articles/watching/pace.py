"""How long a watcher waits before it asks a site again."""

from __future__ import annotations

import re

MAX_WISH = 86_400.0
"""Seconds of a site's wish that are kept to; a feed that asks for more is looked at once a day (ours)."""
MAX_BACK_OFF = 3600.0
"""Seconds between two looks at a feed that cannot be read, where the site asks for no more (ours)."""
MAX_DOUBLINGS = 20

_MAX_AGE = re.compile(r"(?:^|[,\s])max-age\s*=\s*\"?(\d{1,10})", re.IGNORECASE)


def cached_for(cache_control: str) -> float | None:
    """Seconds for which an answer stays as it is, None where its server does not say (source: RFC 9111, 5.2.2.1).

    :param cache_control: the HTTP header of that name.
    """
    found = _MAX_AGE.search(cache_control)
    return float(found[1]) if found else None


def wait_after_answer(poll_interval: float, *wishes: float | None) -> float:
    """Seconds until the next look at a feed that could be read: the longest that anybody wants (source: ours).

    :param poll_interval: of the DAG's author.
    :param wishes: of the site, in seconds; None for none.
    """
    return max(poll_interval, *(min(wish, MAX_WISH) for wish in wishes if wish is not None), 0.0)


def wait_after_failure(poll_interval: float, failures: int, retry_after: float | None) -> float:
    """Seconds until the next look at a feed that could not be read: twice as long each time (source: ours).

    :param poll_interval: of the DAG's author; a longer one counts.
    :param failures: in a row.
    :param retry_after: what the site asked for, None for nothing.
    """
    doubled = min(poll_interval * 2.0 ** min(failures, MAX_DOUBLINGS), MAX_BACK_OFF)
    return max(poll_interval, doubled, min(retry_after or 0.0, MAX_WISH))
