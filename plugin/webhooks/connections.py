"""The connections whose webhooks are accepted, remembered for a while, so that forged calls cause no look-ups."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from ...provider.connection.profile import ServiceProfile
from ...provider.errors import ConfigurationError, ConnectionMissingError

KEPT_SECONDS = 30.0
"""How long a connection is remembered, and that one is missing (ours)."""
MAX_UNKNOWN = 300
"""How many connections that accepted no webhook before are looked up in that time: a call can name anything (ours)."""
AWAY_SECONDS = 5.0
"""After how long a connection that has disappeared is looked up again (ours)."""


class ConnectionAwayError(Exception):
    """The connection cannot be looked up now; later it may."""


@dataclass(frozen=True)
class _Kept:
    until: float
    profile: ServiceProfile | None
    is_away: bool = False


class WebhookConnections:
    """Looks connections up by the id that a call claims.

    :param read: gives the profile of a connection.
    :param clock: gives seconds that never go back.
    """

    def __init__(self, read: Callable[[str], Awaitable[ServiceProfile]], clock: Callable[[], float]) -> None:
        self._read = read
        self._clock = clock
        self._kept: dict[str, _Kept] = {}
        self._reading: dict[str, asyncio.Task[ServiceProfile | None]] = {}

    async def profile(self, conn_id: str) -> ServiceProfile | None:
        """The profile of a connection; None where it accepts no webhooks, is not one of ours, or is missing.

        :param conn_id: as the call claims.
        :raises ConnectionAwayError: it cannot be looked up now, or too many others were.
        """
        kept = self._kept.get(conn_id)
        if kept and self._clock() < kept.until:
            if kept.is_away:
                raise ConnectionAwayError
            return kept.profile
        if conn_id not in self._reading:
            if not self._was_good(conn_id):
                self._make_room()
            reading = asyncio.create_task(self._look_up(conn_id))
            self._reading[conn_id] = reading
            reading.add_done_callback(lambda read: read.cancelled() or read.exception())
        return await asyncio.shield(self._reading[conn_id])

    async def _look_up(self, conn_id: str) -> ServiceProfile | None:
        profile: ServiceProfile | None = None
        try:
            profile = await self._read(conn_id)
        except ConnectionMissingError as error:
            # Airflow says the same when its database is unreachable, and then a genuine call would be lost.
            if self._was_good(conn_id):
                self._kept[conn_id] = replace(
                    self._kept[conn_id], until=self._clock() + AWAY_SECONDS, is_away=True
                )
                raise ConnectionAwayError from error
        except ConfigurationError:
            pass
        finally:
            del self._reading[conn_id]
        if profile is not None and not profile.takes_webhooks:
            profile = None
        self._kept[conn_id] = _Kept(self._clock() + KEPT_SECONDS, profile)
        return profile

    def _was_good(self, conn_id: str) -> bool:
        return conn_id in self._kept and self._kept[conn_id].profile is not None

    def _make_room(self) -> None:
        now = self._clock()
        for conn_id in [
            key for key, kept in self._kept.items() if kept.profile is None and kept.until <= now
        ]:
            del self._kept[conn_id]
        unknown = sum(kept.profile is None for kept in self._kept.values())
        if unknown + sum(not self._was_good(conn_id) for conn_id in self._reading) >= MAX_UNKNOWN:
            raise ConnectionAwayError
