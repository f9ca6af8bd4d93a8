"""The names that users write (ours): renaming one breaks their DAGs."""

from __future__ import annotations

import inspect
import re
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation.commands.all_commands import ALL_COMMANDS
from airflow_video_creation.commands.command import CommandGroup
from airflow_video_creation.provider import errors
from airflow_video_creation.provider.deprecation import VideoCreationDeprecationWarning
from airflow_video_creation.provider.info import CONNECTION_TYPE, DEFAULT_CONNECTION_ID, get_provider_info
from airflow_video_creation.provider.models import Job

ROOT = Path(__file__).parents[1]
CONNECTION = {"video_creation_conn_id", "user_id"}
WAITING = {"deferrable", "poll_interval", "timeout", "on_ambiguous", "stop_after"}
REGISTERING = {"variable", "if_exists", "on_ambiguous"}
ARGUMENTS = {
    "hooks.video_creation.VideoCreationHook": CONNECTION,
    "hooks.article_text.article_with_text": {"article"},
    "notifications.night_summary.NightSummaryNotifier": {"through"},
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
    "operators.plan.PlanVideosOperator": {
        *("storyboards", "max_videos", "max_minutes", "dry_run"),
        *("max_minutes_per_day", "max_minutes_per_month", "budget_timezone"),
        *("carry_over", "max_age", "score"),
        *("video_creation_conn_id", "user_id", "on_low_quota"),
    },
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
    "operators.script.WriteScriptOperator": {
        *("article", "llm_conn_id", "model_id", "template", "seconds"),
        *("on_unsupported", "instructions", "model_settings"),
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
    "operators.videos.CreateVideosOperator": {
        *("storyboards", "destination", "max_active", "wake_after", "on_invalid", "on_failure", "manifest"),
        *(
            "subtitles",
            "thumbnail",
            "sidecar",
            "make_again",
            "adopt_storyboard_job_ids",
            "adopt_render_job_ids",
        ),
        *WAITING,
        *CONNECTION,
    },
    "operators.summary.SummarizeVideosOperator": {"fail_when", "on_left_out"},
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
    "emulator.process.admin_client.AdminClient": {"base_url"},
    "emulator.process.server.Emulator": {"port"},
    "hooks.airflow.errors.airflow_errors": {"retryable"},
    "hooks.airflow.failure_xcom.telling_failures": {"method"},
    "hooks.transcript_fetch.fetch_podcast": {"feed_url", "respect_robots", "allow_private_addresses"},
    "hooks.transcript_fetch.fetch_transcript": {
        "address",
        "language",
        "encoding",
        "feed_url",
        "respect_robots",
        "allow_private_addresses",
    },
    "hooks.video_creation_async.VideoCreationAsyncHook": CONNECTION,
    "operators.storyboard_decorator.storyboard_task": {"python_callable", "kwargs"},
    "operators.storyboards_decorator.storyboards_task": {"python_callable", "kwargs"},
    "provider.articles.template.StoryboardTemplate": {
        "storyboard",
        "every_scene",
        "title_scene",
        "closing_scene",
        "lead_picture",
        "backgrounds",
        "voices",
        "words_per_scene",
        "seconds_per_scene",
        "max_scenes",
        "max_seconds",
    },
    "provider.scripts.instructions.script_instructions": {"seconds", "language", "instructions"},
    "provider.scripts.instructions.script_prompt": {"article"},
    "provider.scripts.script.VideoScript": {"title", "hook", "scenes", "closing"},
    "provider.scripts.storyboard.storyboard_from_script": {
        "script",
        "article",
        "template",
        "seconds",
        "on_unsupported",
    },
    "pipelines.from_yaml.videos_from_feed": {"settings"},
    "pipelines.from_yaml.videos_from_files": {"settings"},
    "provider.pipelines.settings.PipelineSettings": {
        *("dag_id", "feed_url", "urls", "files", "lookback", "schedule", "timezone", "template", "rules"),
        *(
            "budget",
            "script",
            "watch",
            "max_articles",
            "shortest_text",
            "respect_robots",
            "allow_private_addresses",
            "max_active",
            "timeout",
            "fail_when",
            "on_left_out",
            "approval",
            "delivery",
            "tell",
            "video_creation_conn_id",
            "user_id",
            "default_args",
            "tags",
        ),
    },
    "provider.speech_rate.seconds_to_say": {"text", "language", "speed"},
    "provider.transcripts.cue.Cue": {"start", "end", "text", "speaker"},
    "provider.transcripts.extract.extract": {"sentences", "seconds", "length", "rank"},
    "provider.transcripts.podcast.Episode": {
        "id",
        "title",
        "url",
        "audio_url",
        "media_type",
        "transcript_url",
        "cover",
        "language",
        "published",
    },
    "provider.transcripts.podcast.Podcast": {"title", "episodes", "older"},
    "provider.transcripts.podcast.parse_podcast": {"body", "content_type", "url"},
    "provider.transcripts.podcast.storyboard_from_episode": {"episode", "sentences", "words_per_scene"},
    "provider.transcripts.sentences.Sentence": {"start", "end", "text", "speaker"},
    "provider.transcripts.sentences.spoken_sentences": {"transcript"},
    "provider.transcripts.storyboard.subtitled_video": {
        "transcript",
        "title",
        "video_uri",
        "video_seconds",
        "part_uri",
        "shortest_scene",
    },
    "provider.transcripts.storyboard.summary_video": {
        "sentences",
        "title",
        "video_uri",
        "part_uri",
        "picture",
        "language",
        "source",
    },
    "provider.transcripts.transcript.Transcript": {"cues", "language"},
    "provider.transcripts.transcript.parse_transcript": {
        "body",
        "name",
        "content_type",
        "language",
        "encoding",
    },
    "sensors.video_job.VideoJobSensor": {"job_id", "poll_interval", "timeout", "deferrable", *CONNECTION},
    "triggers.feed.FeedEventTrigger": {
        "feed_url",
        "podcast",
        "poll_interval",
        "lookback",
        "respect_robots",
        "respect_ttl",
        "allow_private_addresses",
        "remember",
        "version",
    },
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
    "triggers.video_jobs.VideoJobsTrigger": {
        "jobs",
        "poll_interval",
        "wake_after",
        "cancel_on_kill",
        "version",
        *CONNECTION,
    },
}
MODELS = {
    "provider.models.aws_connection.AwsConnection",
    "provider.models.job.Job",
    "provider.models.storyboard.AiVoiceOver",
    "provider.models.storyboard.Audio",
    "provider.models.storyboard.BrandLogo",
    "provider.models.storyboard.Scene",
    "provider.models.storyboard.Storyboard",
    "provider.models.storyboard.TextStyles",
    "provider.models.voiceover.ElevenlabsVoiceSettings",
    "provider.models.voiceover.VoiceoverTrack",
}
"""Their fields are the interface's: ``provider/schemas`` holds them."""
ERRORS = {
    "AmbiguousSubmissionError",
    "AnotherSubjectError",
    "ArticleError",
    "ArticleMemoryError",
    "ArticleUnreachableError",
    "AuthenticationError",
    "ConfigurationError",
    "ConnectionMissingError",
    "DeliveryError",
    "ExecutionTimeoutError",
    "InvalidRequestError",
    "JobDeadlinePassedError",
    "JobError",
    "JobFailedError",
    "JobLostError",
    "JobReplyTooLargeError",
    "JobResultPurgedError",
    "NotFoundError",
    "PermissionDeniedError",
    "PrivateMediaRoleError",
    "RateLimitedError",
    "RegistrationNotKeptError",
    "ReportedFailureError",
    "RequestRefusedError",
    "ScriptError",
    "ScriptModelError",
    "ServiceError",
    "ServiceFailureError",
    "ServiceUnreachableError",
    "SpendingRecordError",
    "SpendingStoppedError",
    "SubmissionRecordError",
    "TranscriptError",
    "TryReplacedError",
    "UnreadableReplyError",
    "VideoCreationError",
}
COMMANDS = {
    "check": ["file", "--kind"],
    "job": ["job_id", "--conn", "--user-id"],
    "private-media role-name": ["role_prefix"],
    "private-media trust-policy": ["service_account_id"],
    "private-media permissions-policy": ["bucket"],
}
HOOK_METHODS = {
    "register_aws_connection": ["connection"],
    "add_voiceover_track": ["track"],
    "create_storyboard": ["storyboard", "webhook"],
    "render_video": ["render_settings", "webhook", "storyboard_job_id", "video_name"],
    "get_job": ["job_id"],
    "cancel_job": ["job_id", "until"],
    "list_aws_connections": [],
    "set_aws_connection_enabled": ["connection_id", "enabled"],
    "delete_aws_connection": ["connection_id"],
    "list_voiceover_tracks": [],
    "delete_voiceover_track": ["track_id"],
    "get_voices": [],
    "get_quota": [],
    "check_speaker": ["storyboard"],
    "call": ["method", "path", "json", "params", "paid"],
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


def test_any_call_of_the_asynchronous_hook_takes_the_same_arguments() -> None:
    acall = load("hooks.video_creation_async.VideoCreationAsyncHook").acall

    assert list(inspect.signature(acall).parameters) == ["self", *HOOK_METHODS["call"]]


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


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        ("triggers.feed.FeedEventTrigger", "https://www.example.com/feed.xml"),
        ("triggers.video_job.VideoJobTrigger", "j-1"),
        ("triggers.video_jobs.VideoJobsTrigger", [{"job_id": "j-1"}]),
    ],
)
def test_a_trigger_is_stored_under_its_public_name(name: str, argument: Any) -> None:
    path, _ = load(name)(argument).serialize()

    assert path == f"airflow_video_creation.{name}"


def test_errors_are_found_at_their_old_home() -> None:
    from airflow_video_creation.provider.errors import JobFailedError

    with pytest.warns(
        VideoCreationDeprecationWarning, match=r"write airflow_video_creation\.provider\.errors\.Job"
    ):
        from airflow_video_creation.provider.protocol.errors import JobFailedError as Old

    assert Old is JobFailedError


def test_all_that_the_reference_shows_is_pinned() -> None:
    shown = {
        path
        for page in (ROOT / "docs" / "reference" / "python").glob("*.md")
        for path in re.findall(r":: airflow_video_creation\.([\w.]+)$", page.read_text("utf-8"), re.MULTILINE)
    }

    assert shown == {*ARGUMENTS, *MODELS, "provider.errors"}


@pytest.mark.parametrize("path", sorted(MODELS))
def test_each_model_is_at_its_place(path: str) -> None:
    assert isinstance(load(path), type)


def test_every_error_keeps_its_name() -> None:
    kinds = {
        name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Exception)
    }

    assert kinds >= ERRORS
    assert all(issubclass(getattr(errors, name), errors.VideoCreationError) for name in ERRORS)


def test_the_commands_for_people_keep_their_names() -> None:
    found = {}
    for command in ALL_COMMANDS:
        for each in command.commands if isinstance(command, CommandGroup) else (command,):
            name = each.name if each is command else f"{command.name} {each.name}"
            found[name] = [argument.name for argument in each.arguments]

    assert found == COMMANDS


def test_extras_entry_points_and_decorators_keep_their_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    assert project["optional-dependencies"].keys() >= {"ai", "amazon", "articles", "emulator", "openlineage"}
    assert project["entry-points"].keys() == {"apache_airflow_provider", "airflow.plugins", "pytest11"}
    assert [each["name"] for each in get_provider_info()["task-decorators"]] == [
        "storyboard",
        "storyboards",
    ]
