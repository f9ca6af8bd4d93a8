"""What the modules of this folder use of the operator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context

    from ...hooks.video_creation import VideoCreationHook
    from ...provider.delivery.media_kind import Subtitles
    from ...provider.submission.adoption import Adoption
    from ...provider.submission.task_try import OnAmbiguous
    from .videos_runner import VideosRunner


class VideosTask(Protocol):
    """The rendered arguments of ``CreateVideosOperator``, and what it has from Airflow."""

    task_id: str
    storyboards: Any
    asked_for: Any
    destination: Any
    manifest: Any
    max_active: int
    on_invalid: Literal["fail", "skip"]
    subtitles: tuple[Subtitles, ...]
    thumbnail: bool
    sidecar: bool
    make_again: Any
    adopt_storyboard_job_ids: Mapping[str, str | None] | None
    adopt_render_job_ids: Mapping[str, str | None] | None
    video_creation_conn_id: str
    user_id: str | None
    deferrable: bool
    leave_after: float
    poll_interval: float | None
    timeout: float
    on_ambiguous: OnAmbiguous
    stop_after: int | None
    cancel_on_timeout: bool
    clock: Callable[[], float]
    sleep: Callable[[float], None]
    under_way: VideosRunner | None

    @property
    def hook(self) -> VideoCreationHook:
        """The hook of the task's connection."""

    @property
    def log(self) -> Any:
        """The task's log."""

    def adoption(self, argument: str, context: Context) -> Adoption:
        """The job that an argument names."""
