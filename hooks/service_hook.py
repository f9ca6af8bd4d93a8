"""The base of the service's hook: its Airflow connection, one session with one token, and any call."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

from airflow.providers.common.compat.sdk import BaseHook

from ..provider.info import CONNECTION_TYPE, DEFAULT_CONNECTION_ID
from .airflow.errors import airflow_errors

if TYPE_CHECKING:
    import requests

    from ..provider.connection.profile import ServiceProfile
    from .transport.service_client import ServiceClient

Made = TypeVar("Made")


class BaseServiceHook(BaseHook):
    """Makes any call of the service through an Airflow connection.

    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's ``user_id``.
    :param clock: gives epoch seconds.
    :param sleep: waits for a number of seconds.
    """

    conn_name_attr = "video_creation_conn_id"
    default_conn_name = DEFAULT_CONNECTION_ID
    conn_type = CONNECTION_TYPE
    hook_name = "Video Creation"

    def __init__(
        self,
        video_creation_conn_id: str = DEFAULT_CONNECTION_ID,
        user_id: str | None = None,
        *,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__()
        self.video_creation_conn_id = video_creation_conn_id
        self.user_id = user_id
        self._clock = clock
        self._sleep = sleep
        self._opening = threading.RLock()

    @cached_property
    def profile(self) -> ServiceProfile:
        """The service profile of the connection, read once.

        :raises ConfigurationError: there is no such connection, or its fields must be changed.
        """
        return self._made_once("profile", self._profile_now)

    def _profile_now(self) -> ServiceProfile:
        from .connection import read_profile

        with airflow_errors():
            profile = read_profile(self.video_creation_conn_id, type(self))
        for warning in profile.warnings:
            self.log.warning("%s", warning)
        return profile

    def get_conn(self) -> requests.Session:
        """The requests session, with the connection's proxies and TLS settings; it follows no redirect.

        It has no token and no user-id header: ``call`` makes any call of the service with them.

        :return: the open session.
        :raises ConfigurationError: the connection or its CA file cannot be used.
        """
        return self._client.session

    def call(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        params: Mapping[str, Any] | None = None,
        paid: bool = False,
    ) -> Any:
        """Make any call of the service, such as ``call("GET", "/api/v1/voices")`` (source: ours).

        GET and HEAD are repeated as ``protocol.retry`` allows, other methods only if the service cannot have acted.

        :param method: GET, HEAD, POST, PUT, PATCH or DELETE.
        :param path: below the connection's host.
        :param json: the body: any JSON value; None for no body.
        :param params: added to the query: strings, numbers, true, false and lists of these; None is left out.
        :param paid: whether it makes something that may cost money: then Airflow does not retry it either when the
            result is in doubt.
        :return: the JSON of the reply: an object, a list or any other value; None for an empty reply.
        :raises InvalidRequestError: it cannot be sent, or would lead out of the service; nothing was sent.
        :raises ConfigurationError: the connection cannot be used.
        :raises AmbiguousSubmissionError: what is paid for may have been accepted; it was not sent again.
        :raises ServiceError: any other error of the request, or a 200 that reports a failure.
        """
        from ..provider.protocol.any_call import any_call, read_any_reply

        with airflow_errors():
            asked = any_call(method, path, body=json, params=params, paid=paid)
            return self._client.make(asked, partial(read_any_reply, profile=self.profile))

    @cached_property
    def _client(self) -> ServiceClient:
        return self._made_once("_client", self._client_now)

    def _client_now(self) -> ServiceClient:
        from .transport.service_client import ServiceClient

        return ServiceClient(self.profile, self.user_id, clock=self._clock, sleep=self._sleep, log=self.log)

    def _made_once(self, name: str, make: Callable[[], Made]) -> Made:
        """The value of a cached property, which Python 3.12 and newer would otherwise make twice for two threads at
        once."""
        with self._opening:
            if name not in vars(self):
                vars(self)[name] = make()
            made: Made = vars(self)[name]
            return made
