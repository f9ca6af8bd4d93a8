"""Which of a run's storyboards are made into videos, before anything is sent.

A storyboard is left out when it is wrong, when one that is made has its name already (names are file names, so
capitals make no difference), or when it does not fit into what is left of the limits and of the service's quota. Those
given first come first; one that is too long leaves the room to shorter ones after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import InvalidRequestError
from .estimate import MAX_VIDEO, estimated_seconds
from .given_name import given_name
from .left_out import LeftOutKind

if TYPE_CHECKING:
    from ..models.storyboard import Storyboard

WIDEST_NAME = 60
"""How many characters of a name the table has (ours)."""


@dataclass(frozen=True)
class PlannedVideo:
    """One storyboard of the run, and what is decided on it.

    :param video: its name, or where it stands in the list when it has none.
    :param storyboard: as a dict that can be read again; None when it is wrong.
    :param seconds: how long the video will be, about; None when it is wrong.
    :param reason: why it is left out; None when it is made.
    :param kind: of the reason; None when it is made.
    :param metadata: that was given with it.
    """

    video: str
    storyboard: Mapping[str, Any] | None = None
    seconds: float | None = None
    reason: str | None = None
    kind: LeftOutKind | None = None
    metadata: Any = None

    def as_given(self) -> dict[str, Any]:
        """The storyboard for the task that makes it, with its metadata where it has some."""
        storyboard = dict(self.storyboard or {})
        return {"storyboard": storyboard, "metadata": self.metadata} if self.metadata else storyboard

    @property
    def decision(self) -> str:
        """What is decided, for a person."""
        return f"left out: {self.reason}" if self.reason else "make"


@dataclass(frozen=True)
class VideoPlan:
    """What a run makes and what it leaves out, in the order given."""

    videos: tuple[PlannedVideo, ...]

    @property
    def made(self) -> list[PlannedVideo]:
        """The videos to make."""
        return [video for video in self.videos if not video.reason]

    @property
    def left_out(self) -> list[PlannedVideo]:
        """The storyboards that are left out, each with its reason."""
        return [video for video in self.videos if video.reason]

    @property
    def valid(self) -> list[PlannedVideo]:
        """The storyboards that could be made."""
        return [video for video in self.videos if video.storyboard is not None]

    @property
    def minutes(self) -> float:
        """How long the videos to make are together, about."""
        return sum(video.seconds or 0.0 for video in self.made) / 60

    def table(self) -> str:
        """The whole plan as lines of text, for a log."""
        width = min(max(len("video"), *(len(video.video) for video in self.videos), 0), WIDEST_NAME)
        lines = [f"{'video':<{width}}  scenes  minutes  decision"]
        for video in self.videos:
            scenes = len(video.storyboard["scenes"]) if video.storyboard else "-"
            minutes = "-" if video.seconds is None else f"{video.seconds / 60:.1f}"
            name = video.video if len(video.video) <= width else f"{video.video[: width - 3]}..."
            lines.append(f"{name:<{width}}  {scenes:>6}  {minutes:>7}  {video.decision}")
        return "\n".join(lines)


def plan_videos(
    storyboards: Sequence[Any],
    *,
    max_videos: int | None = None,
    max_minutes: float | None = None,
    quota_minutes: float | None = None,
    check: Callable[[Mapping[str, Any]], None] = lambda _: None,
) -> VideoPlan:
    """Decide on each storyboard (source: ours; see above).

    :param storyboards: models, dicts with wire names, or JSON or YAML texts, each alone or with its metadata as
        ``CreateVideosOperator`` takes them; None for one that was skipped.
    :param max_videos: how many videos at most.
    :param max_minutes: how many minutes of video at most, together.
    :param quota_minutes: how many the service has left, where that is a limit too.
    :param check: is given each storyboard as it would be sent, and raises ``InvalidRequestError`` where it is wrong.
    """
    from ..models.storyboard import Storyboard
    from .given_storyboard import storyboard_and_metadata

    videos: list[PlannedVideo] = []
    taken = _Taken(max_videos, max_minutes, quota_minutes)
    for number, given in enumerate(storyboards):
        if given is None:
            continue
        request, metadata = storyboard_and_metadata(given)
        try:
            storyboard = Storyboard.read(request)
            check(storyboard.to_wire())
        except InvalidRequestError as error:
            videos.append(PlannedVideo(_name_of(request, number), reason=_on_one_line(error), kind="wrong"))
            continue
        seconds = estimated_seconds(storyboard)
        if seconds >= MAX_VIDEO:
            videos.append(PlannedVideo(storyboard.video_name, reason=_TOO_LONG, kind="wrong"))
            continue
        kind, reason = taken.take(storyboard, seconds) or (None, None)
        videos.append(
            PlannedVideo(storyboard.video_name, storyboard.to_dict(), seconds, reason, kind, metadata)
        )
    return VideoPlan(tuple(videos))


@dataclass
class _Taken:
    """What the videos that are made take of the limits."""

    max_videos: int | None
    max_minutes: float | None
    quota_minutes: float | None
    names: set[str] = field(default_factory=set)
    seconds: float = 0.0

    def take(self, storyboard: Storyboard, seconds: float) -> tuple[LeftOutKind, str] | None:
        """Why a storyboard is left out; None when it is made, and taken off the limits."""
        name = storyboard.video_name.casefold()
        if name in self.names:
            return "wrong", "an earlier storyboard of this run has the same videoName."
        if self.max_videos is not None and len(self.names) >= self.max_videos:
            return "limit", f"more than max_videos={self.max_videos}."
        limits = {f"max_minutes={self.max_minutes or 0:g}": self.max_minutes, "the quota": self.quota_minutes}
        for called, minutes in limits.items():
            if minutes is not None and seconds > (left := minutes * 60 - self.seconds):
                told = f"about {seconds / 60:.1f} minutes, and {max(left, 0) / 60:.1f} of {called} were left."
                return "limit", told
        self.names.add(name)
        self.seconds += seconds
        return None


_TOO_LONG = (
    f"the storyboard is wrong: its video would last {MAX_VIDEO / 3600:.0f} hours or more, see its minimumDuration "
    "and <break>s."
)


def _name_of(given: Any, number: int) -> str:
    return " ".join((given_name(given) or "").split())[:100] or f"storyboard {number}"


def _on_one_line(error: InvalidRequestError) -> str:
    return "the storyboard is wrong: " + "; ".join(str(problem) for problem in error.problems)
