"""What the service answers, as the protocol is given it."""

from __future__ import annotations

import json
from typing import Any

from airflow_video_creation.provider.protocol.messages import HttpReply


def reply(body: Any, status: int = 200, **headers: str) -> HttpReply:
    """An answer with a body of JSON, or of these bytes."""
    return HttpReply(status, headers, body if isinstance(body, bytes) else json.dumps(body).encode())
