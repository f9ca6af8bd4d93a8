"""Keeps requests from reading redirects: it would read the whole body, of any size, before it continues."""

from __future__ import annotations

from typing import Any

import requests


def leave_redirect_unread(response: requests.Response, **_: Any) -> None:
    """Close a redirect before requests reads it; a hook for ``session.hooks["response"]`` (source: ours).

    :param response: of any kind.
    """
    if response.is_redirect:
        response.close()
