"""Fills the placeholders of the sample site's feeds and pages when they are served.

The files hold ``$site`` for the address they are served from, and ``${rss_date_2_hours_ago}`` or
``${iso_date_2_hours_ago}`` (1 to 48 hours) for dates, so that the sample articles are always news.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from email.utils import format_datetime
from string import Template


def fill_placeholders(text: str, *, site: str, now: datetime) -> str:
    """Return a feed or page of the sample site as it is served at one moment (source: ours).

    :param text: the file's content, with placeholders.
    :param site: the address that the folder is served from, without a slash at its end.
    :param now: the moment of serving, with a time zone; dates are counted back from it.
    :raises KeyError: a placeholder is not one of those above.
    """
    values = {"site": site.rstrip("/")}
    for hours in range(1, 49):
        moment = (now - timedelta(hours=hours)).replace(microsecond=0)
        values[f"rss_date_{hours}_hours_ago"] = format_datetime(moment)
        values[f"iso_date_{hours}_hours_ago"] = moment.isoformat()
    return Template(text).substitute(values)
