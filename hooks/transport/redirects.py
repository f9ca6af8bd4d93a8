"""How far requests reads a redirect: not at all, since it would read the whole body, of any size, before it goes on."""

from __future__ import annotations

from typing import Any

import requests


def leave_redirect_unread(response: requests.Response, **_: Any) -> None:
    """Close a redirect before requests reads it; a hook for ``session.hooks["response"]`` (source: ours).

    :param response: of any kind.
    """
    if response.is_redirect:
        response.close()
