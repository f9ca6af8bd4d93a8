"""What Airflow reads about this provider: its connection type, form and classes."""

from __future__ import annotations

from typing import Any

VERSION = "0.1.0"
USER_AGENT = f"airflow-provider-video-creation/{VERSION}"
CONNECTION_TYPE = "video_creation"
DEFAULT_CONNECTION_ID = "video_creation_default"
HOOK_CLASS = "airflow_video_creation.hooks.video_creation.VideoCreationHook"


def _text(label: str, description: str, **schema: Any) -> dict[str, Any]:
    return {"label": label, "description": description, "schema": {"type": ["string", "null"], **schema}}


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
                    "airflow_video_creation.operators.articles",
                    "airflow_video_creation.operators.aws_connection",
                    "airflow_video_creation.operators.download",
                    "airflow_video_creation.operators.render",
                    "airflow_video_creation.operators.storyboard",
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
                "python-modules": ["airflow_video_creation.triggers.video_job"],
            }
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
                "conn-fields": {
                    "user_id": _text(
                        "User id", "Fills the X-Service-User-Id header; a task may name its own."
                    ),
                    "auth_url": _text(
                        "Token URL", "Where tokens are fetched; empty when the password is the token."
                    ),
                },
            }
        ],
    }
