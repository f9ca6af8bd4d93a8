"""How long a watcher waits before it asks a site again."""

from __future__ import annotations

import re

MAX_WISH = 86_400.0
"""The longest interval that is obeyed, in seconds; a feed that asks for more is polled once a day (ours)."""
MAX_BACK_OFF = 3600.0
"""The most seconds between two polls of a feed that cannot be read, unless the site asks for more (ours)."""
MAX_DOUBLINGS = 20

_MAX_AGE = re.compile(r"(?:^|[,\s])max-age\s*=\s*\"?(\d{1,10})", re.IGNORECASE)


def cached_for(cache_control: str) -> float | None:
    """Seconds for which an answer stays fresh, None if its server does not say (source: RFC 9111, 5.2.2.1).

    :param cache_control: the HTTP header of that name.
    """
    found = _MAX_AGE.search(cache_control)
    return float(found[1]) if found else None


def wait_after_answer(poll_interval: float, *wishes: float | None) -> float:
    """Seconds until the next poll of a feed that could be read: the longest interval that anybody asks for (source:
    ours).

    :param poll_interval: the DAG author's.
    :param wishes: the intervals that the site asks for, in seconds; None for none.
    """
    return max(poll_interval, *(min(wish, MAX_WISH) for wish in wishes if wish is not None), 0.0)


def wait_after_failure(poll_interval: float, failures: int, retry_after: float | None) -> float:
    """Seconds until the next poll of a feed that could not be read: twice as long each time (source: ours).

    :param poll_interval: the DAG author's; a longer one is kept.
    :param failures: how many in a row.
    :param retry_after: what the site asked for, None for nothing.
    """
    doubled = min(poll_interval * 2.0 ** min(failures, MAX_DOUBLINGS), MAX_BACK_OFF)
    return max(poll_interval, doubled, min(retry_after or 0.0, MAX_WISH))
