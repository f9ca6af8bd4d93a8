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


def _field(label: str, description: str, section: str, **schema: Any) -> dict[str, Any]:
    schema = {"type": ["string", "null"], "section": section, **schema}
    return {"label": label, "description": description, "schema": schema}


# The form collapses each section: its title alone must say who has to open it. Airflow 3.1 has no sections.
_USER, _TOKEN = "User id (required)", "Token URL (leave empty with an access token)"
_SERVICE, _WEBHOOKS = "Where your service differs (optional)", "Webhooks (optional)"
_NETWORK = "Network (optional)"
CONNECTION_FIELDS: dict[str, dict[str, Any]] = {
    "user_id": _field(
        "User id",
        "The service's id of the user who makes the videos. Leave empty if each task names its own.",
        _USER,
    ),
    "auth_url": _field(
        "Token URL",
        "Where tokens are fetched with client id and client secret. Leave empty if you have an access token.",
        _TOKEN,
    ),
    "token_request": _field(
        "Token request",
        "How the token is requested: json or form (OAuth2 client credentials). Leave empty for json.",
        _TOKEN,
        enum=[*TOKEN_REQUESTS],
    ),
    "token_prefix": _field(
        "Token prefix", "A word before the token, such as Bearer. Leave empty for none.", _SERVICE
    ),
    "user_id_header": _field(
        "User-id header",
        f"Leave empty for {USER_ID_HEADER}. Enter none if the service takes no user id.",
        _SERVICE,
    ),
    "idempotency_header": _field(
        "Idempotency header",
        "The header that marks a repeated request for the service, such as Idempotency-Key. "
        "Leave empty if it has none.",
        _SERVICE,
    ),
    "aws_connection_id": _field(
        "AWS connection id",
        "For private media, if a storyboard names no connection. Leave empty if you have no private media.",
        _SERVICE,
    ),
    "callback_base_url": _field(
        "Airflow's public URL",
        "The address that the service calls when a job ends. Leave empty if Airflow should poll the service.",
        _WEBHOOKS,
    ),
    "webhook_secret": _field(
        "Webhook secret",
        f"Only with Airflow's public URL: at least {MIN_WEBHOOK_SECRET} characters that nobody can guess.",
        _WEBHOOKS,
        format="password",
    ),
    "airflow_api_conn_id": _field(
        "Airflow API connection id",
        f"The connection with the Airflow user for webhooks. Leave empty for {AIRFLOW_API_CONN_ID}.",
        _WEBHOOKS,
    ),
    "connect_timeout": _field(
        "Connect time-out",
        f"Seconds to wait for a connection. Leave empty for {CONNECT_TIMEOUT:g}.",
        _NETWORK,
        type=["number", "null"],
    ),
    "read_timeout": _field(
        "Read time-out",
        f"Seconds to wait for an answer. Leave empty for {READ_TIMEOUT:g}.",
        _NETWORK,
        type=["number", "null"],
    ),
    "verify": _field(
        "Verify TLS",
        "Leave empty to check certificates. Or enter the path of a CA file, or false for no check.",
        _NETWORK,
    ),
}
"""The form's fields; anything else in the extra is written there as JSON (ours)."""


FIELD_BEHAVIOUR: dict[str, Any] = {
    "hidden-fields": ["schema"],
    "relabeling": {
        "host": "Base URL",
        "login": "Client id",
        "password": "Access token or client secret",
        "port": "Port",
    },
    "placeholders": {
        "host": "https://video.example.com",
        "login": "leave empty with an access token",
        "password": "with a token URL: the client secret",
        # The UI sends 0 for an empty port, which Airflow 3.3.1 and 3.3.2 take for another address than the stored one.
        "port": "443, or the port in the URL; Test needs it",
    },
}
"""How the form shows Airflow's own fields (ours)."""


CONFIGURATION: dict[str, Any] = {
    CONNECTION_TYPE: {
        "description": "Settings of the Video Creation provider.",
        "options": {
            "record_folder": {
                "description": (
                    "Where this provider keeps its records of paid submissions below Airflow 3.3: an absolute path\n"
                    "on a disk that all workers share, or a URL of ObjectStorage. Without it every retry of a\n"
                    "submitting task fails as in doubt. Give each Airflow its own folder. Airflow 3.3 and newer\n"
                    "keep these records themselves: the folder is only read, for tasks that began below 3.3.\n"
                    "If it is set, PlanVideosOperator keeps its budgets and the videos that it carries over here\n"
                    "on every Airflow. Otherwise it keeps them in Airflow Variables, on 3.3 and newer only.\n"
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
                    "airflow_video_creation.operators.script",
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
        "notifications": ["airflow_video_creation.notifications.night_summary.NightSummaryNotifier"],
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
                "ui-field-behaviour": FIELD_BEHAVIOUR,
                "conn-fields": CONNECTION_FIELDS,
            }
        ],
        "config": CONFIGURATION,
    }
