"""What a connection means where it says nothing: for the form, which must load fast, and for the profile (ours)."""

from __future__ import annotations

TOKEN_REQUESTS = ("json", "form")
"""How a token can be asked for; the first is the default."""
USER_ID_HEADER = "X-Service-User-Id"
AIRFLOW_API_CONN_ID = "video_creation_airflow_api"
REQUESTS_PER_MINUTE = 600.0
CONNECT_TIMEOUT, READ_TIMEOUT = 10.0, 30.0
"""Seconds."""
MIN_WEBHOOK_SECRET = 16
"""The least characters of a secret that nobody can guess."""
UPDATE_METHODS = ("PATCH", "PUT")
"""How a registered connection can be changed; the first is the default."""
WEBHOOK_MAX_LENGTH = 500
"""Characters."""
MAX_REPLY_MIB = 32.0
IDEMPOTENCY_HOURS = 6.0
"""How long a service is assumed to remember a key: most promise 24 hours or more, some less."""
