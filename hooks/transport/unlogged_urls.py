"""Keeps urllib3 from logging whole URLs, which may be signed or hold tokens."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

_LOGGERS = ("urllib3.connection", "urllib3.connectionpool", "urllib3.util.retry")
"""Log whole URLs: at debug level each, at warning level those with odd headers (under either of the first two names, by
the release) and those tried again."""


@contextmanager
def urls_not_logged() -> Iterator[None]:
    """Drop urllib3's log lines while the block runs (source: ours).

    It belongs in the thread that sends, since that may continue after its caller has given up. aiohttp logs no URLs.
    """
    loggers = [logging.getLogger(name) for name in _LOGGERS]

    def drop(record: logging.LogRecord) -> bool:
        return False

    for logger in loggers:
        logger.addFilter(drop)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(drop)
