"""The emulator as an ASGI application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI

from .conduct.misbehaviour import Misbehaviour
from .contract_document import contract_document
from .jobs.state_store import StateStore
from .routes.all_routers import ROUTERS
from .routes.service_error import add_error_handlers
from .service import run_service
from .settings import Settings


def create_application(settings: Settings, base_url: str, folder: Path, store: StateStore) -> FastAPI:
    """Put the routes together.

    :param settings: the emulator's
    :param base_url: where it is reached
    :param folder: where media are kept
    :param store: where jobs are kept
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with run_service(settings, base_url, folder, store) as service:
            app.state.service = service
            yield

    app = FastAPI(title="Video creation service", lifespan=lifespan, redoc_url=None)
    for router in ROUTERS:
        app.include_router(router)
    app.add_middleware(Misbehaviour)
    add_error_handlers(app)
    # FastAPI takes the document from this attribute.
    app.openapi = contract_document  # type: ignore[method-assign]
    return app
