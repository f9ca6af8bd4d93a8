"""Which proxy a request goes through, the same on the worker and in the triggerer."""

from __future__ import annotations

from requests.utils import get_environ_proxies, select_proxy

from ...provider.connection.profile import ServiceProfile


def proxy_for(url: str, profile: ServiceProfile) -> str | None:
    """The URL of the proxy for a request; None to ask directly (source: ours).

    If the connection's extra has ``proxies``, only they count; otherwise the environment's with its ``NO_PROXY``.

    :param url: of the request.
    :param profile: of the connection; the keys of its ``proxies`` are those of requests, such as ``https`` or ``all``.
    """
    return select_proxy(url, profile.proxies or get_environ_proxies(url))
