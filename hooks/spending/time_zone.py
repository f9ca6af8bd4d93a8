"""The time zone in which a day begins: a named one, or Airflow's own default."""

from __future__ import annotations

from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from airflow.providers.common.compat.sdk import conf

from ...provider.errors import ConfigurationError


def zone(name: str | None) -> tzinfo:
    """Return a time zone (source: ours).

    :param name: such as ``Europe/Paris``; None for ``[core] default_timezone``.
    :raises ConfigurationError: there is no such time zone.
    """
    named = conf.get("core", "default_timezone", fallback="utc") if name is None else name
    if named.lower() == "utc":
        return ZoneInfo("UTC")
    if name is None and named == "system":
        return datetime.now().astimezone().tzinfo or ZoneInfo("UTC")
    try:
        return ZoneInfo(named)
    except (LookupError, ValueError, OSError):
        whose = "[core] default_timezone" if name is None else "budget_timezone="
        raise ConfigurationError(
            f"{whose} names the time zone {named!r}, which this worker does not know: give one such as Europe/Paris."
        ) from None
