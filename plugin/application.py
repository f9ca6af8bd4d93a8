"""The plugin's application in the API server, made when it is first called.

Airflow loads plugins into each of its processes, and only the API server ever calls this: so FastAPI is imported then.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from .airflow_app import AIRFLOW_APP

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class PluginApplication:
    """An ASGI application that passes everything on to the one that it makes at the first call."""

    def __init__(self) -> None:
        self._making = threading.Lock()
        self._made: Application | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        made = self._made
        if made is None:
            made = await asyncio.to_thread(self._make)
        # The application that is called replaces the one above.
        await made({**scope, AIRFLOW_APP: scope.get("app")}, receive, send)

    def _make(self) -> Application:
        with self._making:
            if self._made is None:
                self._made = make_application()
            return self._made


def make_application() -> Application:
    """The FastAPI application with all that the plugin serves."""
    from fastapi import FastAPI

    from .pages.run_pages import run_pages_router
    from .pages.task_pages import task_pages_router
    from .webhooks.receiver import webhook_router

    application = FastAPI(title="Video Creation", openapi_url=None)
    application.include_router(webhook_router())
    application.include_router(task_pages_router())
    application.include_router(run_pages_router())
    return application
