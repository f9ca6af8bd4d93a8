"""The names that users write (ours): renaming one breaks their DAGs."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

import pytest

from airflow_video_creation.provider.info import CONNECTION_TYPE, DEFAULT_CONNECTION_ID, get_provider_info
from airflow_video_creation.provider.models import Job

CONNECTION = {"video_creation_conn_id", "user_id"}
WAITING = {"deferrable", "poll_interval", "timeout", "on_ambiguous", "stop_after"}
REGISTERING = {"variable", "on_ambiguous"}
ARGUMENTS = {
    "hooks.video_creation.VideoCreationHook": CONNECTION,
    "hooks.article_text.article_with_text": {"article"},
    "operators.approval.ApproveVideoOperator": {
        "storyboard_job_id",
        "subject",
        "body",
        "response_timeout",
        "defaults",
        *CONNECTION,
    },
    "operators.articles.FetchArticlesOperator": {
        "feed_url",
        "urls",
        "files",
        "lookback",
        "max_articles",
        "remember",
        "dry_run",
        "text_folder",
        "respect_robots",
        "pause",
        "allow_private_addresses",
    },
    "operators.aws_connection.RegisterAwsConnectionOperator": {"connection", *REGISTERING, *CONNECTION},
    "operators.download.DownloadVideoOperator": {
        "job_id",
        "destination",
        "video_name",
        "subtitles",
        "thumbnail",
        "sidecar",
        "metadata",
        *CONNECTION,
    },
    "operators.job_assets.job_failed": {"video_creation_conn_id"},
    "operators.job_assets.preview_ready": {"video_creation_conn_id"},
    "operators.job_assets.video_ready": {"video_creation_conn_id"},
    "operators.plan.PlanVideosOperator": {"storyboards", "max_videos", "max_minutes", "dry_run"},
    "operators.private_media.CreatePrivateMediaRoleOperator": {
        "service_account_id",
        "role_prefix",
        "bucket",
        "aws_conn_id",
    },
    "operators.render.RenderVideoOperator": {
        "storyboard_job_id",
        "render_settings",
        "video_name",
        "adopt_job_id",
        "wait_for_completion",
        *WAITING,
        *CONNECTION,
    },
    "operators.storyboard.CreateStoryboardOperator": {
        "storyboard",
        "adopt_job_id",
        "wait_for_completion",
        *WAITING,
        *CONNECTION,
    },
    "operators.video.CreateVideoOperator": {
        "storyboard",
        "adopt_storyboard_job_id",
        "adopt_render_job_id",
        *WAITING,
        *CONNECTION,
    },
    "operators.summary.SummarizeVideosOperator": {"fail_when"},
    "operators.video.video_from_storyboard": {
        "storyboard",
        "destination",
        "deferrable",
        "download",
        "on_ambiguous",
        "poll_interval",
        "timeout",
        "stop_after",
        *CONNECTION,
    },
    "operators.voiceover.AddVoiceoverTrackOperator": {"track", *REGISTERING, *CONNECTION},
    "provider.articles.storyboard.storyboard_from_article": {
        "article",
        "template",
        "words_per_scene",
        "max_scenes",
    },
    "sensors.video_job.VideoJobSensor": {"job_id", "poll_interval", "timeout", "deferrable", *CONNECTION},
    "triggers.video_job.VideoJobTrigger": {
        "job_id",
        "poll_interval",
        "deadline",
        "kind",
        "submitted_at",
        "version",
        "cancel_on_kill",
        "webhook",
        *CONNECTION,
    },
}
HOOK_METHODS = {
    "register_aws_connection": ["connection"],
    "add_voiceover_track": ["track"],
    "create_storyboard": ["storyboard", "webhook"],
    "render_video": ["render_settings", "webhook", "video_name"],
    "get_job": ["job_id"],
    "test_connection": [],
}
JOB_FIELDS = [
    "job_id",
    "state",
    "preview_url",
    "render_settings",
    "video_url",
    "share_url",
    "thumbnail_url",
    "audio_url",
    "srt_url",
    "vtt_url",
    "txt_url",
    "duration",
    "progress",
    "error_code",
    "error_message",
]


def load(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(import_module(f"airflow_video_creation.{module}"), name)


def arguments_of(kind: Any) -> set[str]:
    """What a class and its bases of this package take, or a function, or that of a task group."""
    kind = getattr(kind, "function", kind)
    if not isinstance(kind, type):
        return set(inspect.signature(kind).parameters)
    ours = [base for base in kind.__mro__ if base.__module__.startswith("airflow_video_creation.")]
    return {name for base in ours for name in inspect.signature(base).parameters}


@pytest.mark.parametrize("path", ARGUMENTS)
def test_each_name_is_at_its_place_and_takes_its_arguments(path: str) -> None:
    assert arguments_of(load(path)) >= ARGUMENTS[path]


@pytest.mark.parametrize("method", HOOK_METHODS)
def test_each_method_of_the_hook_takes_its_arguments(method: str) -> None:
    hook = load("hooks.video_creation.VideoCreationHook")

    assert list(inspect.signature(getattr(hook, method)).parameters) == ["self", *HOOK_METHODS[method]]


def test_a_job_has_these_fields_in_xcom() -> None:
    assert list(Job(job_id="j-1", state="completed").to_xcom()) == JOB_FIELDS


def test_airflow_finds_the_connection_type_and_the_hook() -> None:
    hook = load("hooks.video_creation.VideoCreationHook")
    [connection] = get_provider_info()["connection-types"]

    assert (CONNECTION_TYPE, DEFAULT_CONNECTION_ID) == ("video_creation", "video_creation_default")
    assert connection["connection-type"] == hook.conn_type == CONNECTION_TYPE
    assert connection["hook-class-name"] == f"{hook.__module__}.{hook.__qualname__}"
    assert hook.default_conn_name == DEFAULT_CONNECTION_ID
    assert hook.conn_name_attr == "video_creation_conn_id"


def test_the_trigger_is_stored_under_its_public_name() -> None:
    path, _ = load("triggers.video_job.VideoJobTrigger")("j-1").serialize()

    assert path == "airflow_video_creation.triggers.video_job.VideoJobTrigger"


def test_errors_are_found_at_their_old_home() -> None:
    from airflow_video_creation.provider.errors import JobFailedError
    from airflow_video_creation.provider.protocol.errors import JobFailedError as Old

    assert Old is JobFailedError
