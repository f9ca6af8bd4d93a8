"""What Airflow reads about this provider: its connection type, form and classes."""

from __future__ import annotations

from typing import Any

from .connection.defaults import (
    AIRFLOW_API_CONN_ID,
    CONNECT_TIMEOUT,
    MIN_WEBHOOK_SECRET,
    READ_TIMEOUT,
    TOKEN_REQUESTS,
    USER_ID_HEADER,
)

VERSION = "0.1.0"
USER_AGENT = f"airflow-provider-video-creation/{VERSION}"
CONNECTION_TYPE = "video_creation"
DEFAULT_CONNECTION_ID = "video_creation_default"
HOOK_CLASS = "airflow_video_creation.hooks.video_creation.VideoCreationHook"


def _field(label: str, description: str, **schema: Any) -> dict[str, Any]:
    return {"label": label, "description": description, "schema": {"type": ["string", "null"], **schema}}


CONNECTION_FIELDS: dict[str, dict[str, Any]] = {
    "user_id": _field("User id", "Fills the user-id header; a task may name its own."),
    "auth_url": _field("Token URL", "Where tokens are fetched; empty when the password is the token."),
    "token_request": _field(
        "Token request", "json, the default, or form (OAuth2 client credentials).", enum=[*TOKEN_REQUESTS]
    ),
    "token_prefix": _field("Token prefix", "A word before the token, such as Bearer; none by default."),
    "user_id_header": _field("User-id header", f"{USER_ID_HEADER} by default; none for none."),
    "idempotency_header": _field(
        "Idempotency header", "Where the service takes a submission's identity, such as Idempotency-Key."
    ),
    "aws_connection_id": _field("AWS connection id", "For storyboards with private media that name none."),
    "callback_base_url": _field(
        "Airflow's public URL", "For webhooks, with the secret; empty for polling alone."
    ),
    "webhook_secret": _field(
        "Webhook secret",
        f"Signs the webhooks' URLs; at least {MIN_WEBHOOK_SECRET} characters.",
        format="password",
    ),
    "airflow_api_conn_id": _field(
        "Airflow API connection id", f"The webhooks' identity; {AIRFLOW_API_CONN_ID} by default."
    ),
    "connect_timeout": _field(
        "Connect time-out", f"Seconds; {CONNECT_TIMEOUT:g} by default.", type=["number", "null"]
    ),
    "read_timeout": _field(
        "Read time-out", f"Seconds; {READ_TIMEOUT:g} by default.", type=["number", "null"]
    ),
    "verify": _field("Verify TLS", "true, the default, false, or the path of a CA file."),
}
"""The form's fields; what else the extra may hold is written there as JSON (ours)."""


CONFIGURATION: dict[str, Any] = {
    CONNECTION_TYPE: {
        "description": "Settings of the Video Creation provider.",
        "options": {
            "record_folder": {
                "description": (
                    "Where the records of paid submissions are kept below Airflow 3.3, which keeps none: an absolute\n"
                    "path on a disk that all workers see, or a URL of ObjectStorage. Without it every retry of a\n"
                    "submitting task fails as in doubt. Each Airflow needs a folder of its own. On Airflow 3.3 and\n"
                    "newer it is only read, for tasks that began below 3.3.\n"
                ),
                "version_added": "0.2.0",
                "type": "string",
                "example": "s3://aws_default@my-bucket/records",
                "default": "",
            },
        },
    },
}
"""What ``airflow.cfg`` may hold of this provider (ours)."""


def get_provider_info() -> dict[str, Any]:
    """Describe this provider to Airflow (source: ours, by Airflow's ``provider_info.schema.json``)."""
    return {
        "package-name": "airflow-provider-video-creation",
        "name": "Video Creation",
        "description": "Turns articles, transcripts and audio into videos through a text-to-video service.",
        "versions": [VERSION],
        "integrations": [
            {
                "integration-name": "Video Creation",
                "tags": ["service"],
            }
        ],
        "hooks": [
            {
                "integration-name": "Video Creation",
                "python-modules": ["airflow_video_creation.hooks.video_creation"],
            }
        ],
        "operators": [
            {
                "integration-name": "Video Creation",
                "python-modules": [
                    "airflow_video_creation.operators.approval",
                    "airflow_video_creation.operators.articles",
                    "airflow_video_creation.operators.aws_connection",
                    "airflow_video_creation.operators.download",
                    "airflow_video_creation.operators.plan",
                    "airflow_video_creation.operators.private_media",
                    "airflow_video_creation.operators.render",
                    "airflow_video_creation.operators.storyboard",
                    "airflow_video_creation.operators.summary",
                    "airflow_video_creation.operators.video",
                    "airflow_video_creation.operators.videos",
                    "airflow_video_creation.operators.voiceover",
                ],
            }
        ],
        "sensors": [
            {
                "integration-name": "Video Creation",
                "python-modules": ["airflow_video_creation.sensors.video_job"],
            }
        ],
        "triggers": [
            {
                "integration-name": "Video Creation",
                "python-modules": [
                    "airflow_video_creation.triggers.feed",
                    "airflow_video_creation.triggers.video_job",
                    "airflow_video_creation.triggers.video_jobs",
                ],
            }
        ],
        "extra-links": [
            "airflow_video_creation.hooks.airflow.links.PreviewLink",
            "airflow_video_creation.hooks.airflow.links.VideoLink",
        ],
        "cli": ["airflow_video_creation.commands.airflow_cli.get_airflow_commands"],
        "task-decorators": [
            {
                "name": "storyboard",
                "class-name": "airflow_video_creation.operators.storyboard_decorator.storyboard_task",
            },
            {
                "name": "storyboards",
                "class-name": "airflow_video_creation.operators.storyboards_decorator.storyboards_task",
            },
        ],
        "connection-types": [
            {
                "connection-type": CONNECTION_TYPE,
                "hook-class-name": HOOK_CLASS,
                "hook-name": "Video Creation",
                "ui-field-behaviour": {
                    "hidden-fields": ["schema", "port"],
                    "relabeling": {
                        "host": "Base URL",
                        "login": "Client id (with a token URL)",
                        "password": "Access token or client secret",
                    },
                    "placeholders": {
                        "host": "https://video.example.com",
                        "login": "only with a token URL",
                        "password": "the token, or the client secret with a token URL",
                    },
                },
                "conn-fields": CONNECTION_FIELDS,
            }
        ],
        "config": CONFIGURATION,
    }
