"""The interface as an OpenAPI 3.1 document: what the emulator serves, and what is committed beside this file.

`python -m airflow_video_creation.emulator.contract_document` writes the committed one again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from .contract.operation_paths import TOKEN_PATH
from .routes.all_routers import ROUTERS

COMMITTED = Path(__file__).with_name("openapi.json")

_SECURITY_SCHEMES = {
    "accessToken": {"type": "apiKey", "in": "header", "name": "Authorization"},
    "userId": {"type": "apiKey", "in": "header", "name": "X-Service-User-Id"},
}


def contract_document() -> dict[str, Any]:
    """Build the document from the routes and their models."""
    app = FastAPI()
    for router in ROUTERS:
        app.include_router(router)
    document = get_openapi(
        title="Video creation service",
        version="1",
        summary="An independent reading of the interface, as the emulator serves it.",
        routes=app.routes,
    )
    document["components"]["securitySchemes"] = _SECURITY_SCHEMES
    for path, methods in document["paths"].items():
        for operation in methods.values():
            # Bad requests are answered 400, not FastAPI's 422.
            operation["responses"].pop("422", None)
            if path != TOKEN_PATH:
                operation["security"] = [{name: [] for name in _SECURITY_SCHEMES}]
    for unused in ("HTTPValidationError", "ValidationError"):
        document["components"]["schemas"].pop(unused, None)
    return document


if __name__ == "__main__":
    COMMITTED.write_text(json.dumps(contract_document(), indent=2, ensure_ascii=False) + "\n", "utf-8")
