"""The short home of what DAGs are written with: every name of the reference, but the errors and the emulator.

Each name is loaded when it is first used, so that importing this package costs a DAG file nothing. The errors
stay together in ``provider.errors``, and the emulator's classes, which only tests need, in ``emulator``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .hooks.airflow.errors import airflow_errors as airflow_errors
    from .hooks.airflow.failure_xcom import telling_failures as telling_failures
    from .hooks.article_text import article_with_text as article_with_text
    from .hooks.transcript_fetch import fetch_podcast as fetch_podcast
    from .hooks.transcript_fetch import fetch_transcript as fetch_transcript
    from .hooks.video_creation import VideoCreationHook as VideoCreationHook
    from .hooks.video_creation_async import VideoCreationAsyncHook as VideoCreationAsyncHook
    from .notifications.night_summary import NightSummaryNotifier as NightSummaryNotifier
    from .operators.approval import ApproveVideoOperator as ApproveVideoOperator
    from .operators.articles import FetchArticlesOperator as FetchArticlesOperator
    from .operators.aws_connection import RegisterAwsConnectionOperator as RegisterAwsConnectionOperator
    from .operators.download import DownloadVideoOperator as DownloadVideoOperator
    from .operators.job_assets import job_failed as job_failed
    from .operators.job_assets import preview_ready as preview_ready
    from .operators.job_assets import video_ready as video_ready
    from .operators.plan import PlanVideosOperator as PlanVideosOperator
    from .operators.private_media import CreatePrivateMediaRoleOperator as CreatePrivateMediaRoleOperator
    from .operators.render import RenderVideoOperator as RenderVideoOperator
    from .operators.script import WriteScriptOperator as WriteScriptOperator
    from .operators.storyboard import CreateStoryboardOperator as CreateStoryboardOperator
    from .operators.storyboard_decorator import storyboard_task as storyboard_task
    from .operators.storyboards_decorator import storyboards_task as storyboards_task
    from .operators.summary import SummarizeVideosOperator as SummarizeVideosOperator
    from .operators.video import CreateVideoOperator as CreateVideoOperator
    from .operators.video import video_from_storyboard as video_from_storyboard
    from .operators.videos import CreateVideosOperator as CreateVideosOperator
    from .operators.voiceover import AddVoiceoverTrackOperator as AddVoiceoverTrackOperator
    from .pipelines.from_yaml import videos_from_feed as videos_from_feed
    from .pipelines.from_yaml import videos_from_files as videos_from_files
    from .provider.articles.storyboard import storyboard_from_article as storyboard_from_article
    from .provider.articles.template import StoryboardTemplate as StoryboardTemplate
    from .provider.info import VERSION as __version__
    from .provider.models import AiVoiceOver as AiVoiceOver
    from .provider.models import Audio as Audio
    from .provider.models import AwsConnection as AwsConnection
    from .provider.models import BrandLogo as BrandLogo
    from .provider.models import ElevenlabsVoiceSettings as ElevenlabsVoiceSettings
    from .provider.models import Job as Job
    from .provider.models import Scene as Scene
    from .provider.models import Storyboard as Storyboard
    from .provider.models import TextStyles as TextStyles
    from .provider.models import VoiceoverTrack as VoiceoverTrack
    from .provider.pipelines.settings import PipelineSettings as PipelineSettings
    from .provider.scripts.instructions import script_instructions as script_instructions
    from .provider.scripts.instructions import script_prompt as script_prompt
    from .provider.scripts.script import VideoScript as VideoScript
    from .provider.scripts.storyboard import storyboard_from_script as storyboard_from_script
    from .provider.speech_rate import seconds_to_say as seconds_to_say
    from .provider.transcripts.cue import Cue as Cue
    from .provider.transcripts.extract import extract as extract
    from .provider.transcripts.podcast import Episode as Episode
    from .provider.transcripts.podcast import Podcast as Podcast
    from .provider.transcripts.podcast import parse_podcast as parse_podcast
    from .provider.transcripts.podcast import storyboard_from_episode as storyboard_from_episode
    from .provider.transcripts.sentences import Sentence as Sentence
    from .provider.transcripts.sentences import spoken_sentences as spoken_sentences
    from .provider.transcripts.storyboard import subtitled_video as subtitled_video
    from .provider.transcripts.storyboard import summary_video as summary_video
    from .provider.transcripts.transcript import Transcript as Transcript
    from .provider.transcripts.transcript import parse_transcript as parse_transcript
    from .sensors.video_job import VideoJobSensor as VideoJobSensor
    from .triggers.feed import FeedEventTrigger as FeedEventTrigger
    from .triggers.video_job import VideoJobTrigger as VideoJobTrigger
    from .triggers.video_jobs import VideoJobsTrigger as VideoJobsTrigger

_HOMES = {
    "airflow_errors": "hooks.airflow.errors",
    "telling_failures": "hooks.airflow.failure_xcom",
    "article_with_text": "hooks.article_text",
    "fetch_podcast": "hooks.transcript_fetch",
    "fetch_transcript": "hooks.transcript_fetch",
    "VideoCreationHook": "hooks.video_creation",
    "VideoCreationAsyncHook": "hooks.video_creation_async",
    "NightSummaryNotifier": "notifications.night_summary",
    "ApproveVideoOperator": "operators.approval",
    "FetchArticlesOperator": "operators.articles",
    "RegisterAwsConnectionOperator": "operators.aws_connection",
    "DownloadVideoOperator": "operators.download",
    "job_failed": "operators.job_assets",
    "preview_ready": "operators.job_assets",
    "video_ready": "operators.job_assets",
    "PlanVideosOperator": "operators.plan",
    "CreatePrivateMediaRoleOperator": "operators.private_media",
    "RenderVideoOperator": "operators.render",
    "WriteScriptOperator": "operators.script",
    "CreateStoryboardOperator": "operators.storyboard",
    "storyboard_task": "operators.storyboard_decorator",
    "storyboards_task": "operators.storyboards_decorator",
    "SummarizeVideosOperator": "operators.summary",
    "CreateVideoOperator": "operators.video",
    "video_from_storyboard": "operators.video",
    "CreateVideosOperator": "operators.videos",
    "AddVoiceoverTrackOperator": "operators.voiceover",
    "videos_from_feed": "pipelines.from_yaml",
    "videos_from_files": "pipelines.from_yaml",
    "PipelineSettings": "provider.pipelines.settings",
    "storyboard_from_article": "provider.articles.storyboard",
    "StoryboardTemplate": "provider.articles.template",
    "AwsConnection": "provider.models",
    "Job": "provider.models",
    "AiVoiceOver": "provider.models",
    "Audio": "provider.models",
    "BrandLogo": "provider.models",
    "Scene": "provider.models",
    "Storyboard": "provider.models",
    "TextStyles": "provider.models",
    "ElevenlabsVoiceSettings": "provider.models",
    "VoiceoverTrack": "provider.models",
    "script_instructions": "provider.scripts.instructions",
    "script_prompt": "provider.scripts.instructions",
    "VideoScript": "provider.scripts.script",
    "storyboard_from_script": "provider.scripts.storyboard",
    "seconds_to_say": "provider.speech_rate",
    "extract": "provider.transcripts.extract",
    "Episode": "provider.transcripts.podcast",
    "Podcast": "provider.transcripts.podcast",
    "parse_podcast": "provider.transcripts.podcast",
    "storyboard_from_episode": "provider.transcripts.podcast",
    "Sentence": "provider.transcripts.sentences",
    "spoken_sentences": "provider.transcripts.sentences",
    "subtitled_video": "provider.transcripts.storyboard",
    "summary_video": "provider.transcripts.storyboard",
    "Cue": "provider.transcripts.cue",
    "Transcript": "provider.transcripts.transcript",
    "parse_transcript": "provider.transcripts.transcript",
    "VideoJobSensor": "sensors.video_job",
    "FeedEventTrigger": "triggers.feed",
    "VideoJobTrigger": "triggers.video_job",
    "VideoJobsTrigger": "triggers.video_jobs",
}

__all__ = [*_HOMES, "__version__"]


if not TYPE_CHECKING:
    # Type checkers would believe every name of a module that has it.
    def __getattr__(name: str) -> Any:
        if name == "__version__":
            from .provider.info import VERSION

            return VERSION
        if name in _HOMES:
            return getattr(import_module(f".{_HOMES[name]}", __name__), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
