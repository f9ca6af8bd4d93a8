"""Which of a run's storyboards are made into videos, before anything is sent.

A storyboard is left out when it is wrong, when one that is made has its name already (names are file names, so
capitals make no difference), or when it does not fit into what is left of the limits, of the service's quota and of
budgets that other runs spend from, too. Those given first come first; one that is too long leaves the room to shorter
ones after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any

from ..errors import InvalidRequestError
from .estimate import MAX_VIDEO, estimated_seconds
from .given_name import given_name
from .left_out import LeftOutKind

WIDEST_NAME = 60
"""How many characters of a name the table has (ours)."""


@dataclass(frozen=True)
class Room:
    """What a plan may take of budgets that it shares with other runs.

    :param seconds: budget, as a person wrote it -> seconds of video that are left beside ``held``.
    :param whole: budget, as a person wrote it -> all seconds of it.
    :param held: name of a video, in small letters -> seconds that this run has reserved for it before.
    """

    seconds: Mapping[str, int] = field(default_factory=dict)
    whole: Mapping[str, int] = field(default_factory=dict)
    held: Mapping[str, int] = field(default_factory=dict)


NO_BUDGET = Room()


@dataclass(frozen=True)
class PlannedVideo:
    """One storyboard of the run, and what is decided on it.

    :param video: its name, or its place in the list if it has none.
    :param storyboard: as a dict that can be read again; None when it is wrong.
    :param seconds: how long the video will be, about; None when it is wrong.
    :param reason: why it is left out; None when it is made.
    :param kind: of the reason; None when it is made.
    :param metadata: that was given with it.
    :param left_by: the run that had no room for it, where it was carried over.
    :param is_too_long: whether it fits into no run, however little the others take.
    """

    video: str
    storyboard: Mapping[str, Any] | None = None
    seconds: float | None = None
    reason: str | None = None
    kind: LeftOutKind | None = None
    metadata: Any = None
    left_by: str | None = None
    is_too_long: bool = False

    def as_given(self) -> dict[str, Any]:
        """The storyboard for the task that makes it, with its metadata where it has some."""
        storyboard = dict(self.storyboard or {})
        return {"storyboard": storyboard, "metadata": self.metadata} if self.metadata else storyboard

    @property
    def no_room(self) -> bool:
        """Whether it is left out only since a limit leaves no room for it: another run may make it."""
        return self.kind == "limit" and not self.is_too_long

    @property
    def name(self) -> str:
        """Its name in small letters, by which two videos are told apart."""
        return self.video.casefold()

    @property
    def minutes(self) -> float:
        """How long it will be, about."""
        return (self.seconds or 0.0) / 60

    @property
    def whole_seconds(self) -> int:
        """How much of a budget it takes."""
        return ceil(self.seconds or 0.0)

    @property
    def decision(self) -> str:
        """What is decided, for a person."""
        decision = f"left out: {self.reason}" if self.reason else "make"
        return f"{decision} (carried over from run {self.left_by})" if self.left_by else decision


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
    room: Room = NO_BUDGET,
    check: Callable[[Mapping[str, Any]], None] = lambda _: None,
) -> VideoPlan:
    """Decide on each storyboard (source: ours; see above).

    :param storyboards: models, dicts with wire names, or JSON or YAML texts, each alone or with its metadata as
        ``CreateVideosOperator`` takes them; None for one that was skipped.
    :param max_videos: how many videos at most.
    :param max_minutes: how many minutes of video at most, together.
    :param quota_minutes: how many the service has left, where that is a limit too.
    :param room: what budgets that are shared with other runs leave.
    :param check: is given each storyboard as it would be sent, and raises ``InvalidRequestError`` where it is wrong.
    """
    from ..models.storyboard import Storyboard
    from .given_storyboard import storyboard_and_metadata

    videos: list[PlannedVideo] = []
    taken = _Taken(max_videos, max_minutes, quota_minutes, room)
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
        video = PlannedVideo(storyboard.video_name, storyboard.to_dict(), seconds, metadata=metadata)
        videos.append(taken.take(video))
    return VideoPlan(tuple(videos))


@dataclass
class _Taken:
    """What the videos that are made take of the limits."""

    max_videos: int | None
    max_minutes: float | None
    quota_minutes: float | None
    room: Room
    names: set[str] = field(default_factory=set)
    seconds: float = 0.0
    of_budgets: int = 0

    def take(self, video: PlannedVideo) -> PlannedVideo:
        """Decide on a video; one that is made is taken off the limits."""
        if video.name in self.names:
            return replace(
                video, reason="an earlier storyboard of this run has the same videoName.", kind="wrong"
            )
        if reason := self._too_long(video):
            return replace(video, reason=reason, kind="limit", is_too_long=True)
        if reason := self._no_room(video):
            return replace(video, reason=reason, kind="limit")
        self.names.add(video.name)
        self.seconds += video.seconds or 0.0
        self.of_budgets += self._of_budgets(video)
        return video

    def _no_room(self, video: PlannedVideo) -> str | None:
        if self.max_videos is not None and len(self.names) >= self.max_videos:
            return f"more than max_videos={self.max_videos}."
        seconds = video.seconds or 0.0
        limits = {f"max_minutes={self.max_minutes or 0:g}": self.max_minutes, "the quota": self.quota_minutes}
        for called, minutes in limits.items():
            if minutes is not None and seconds > (left := minutes * 60 - self.seconds):
                return _too_long_for(called, seconds, left)
        for called, whole in self.room.seconds.items():
            if self._of_budgets(video) > (left := whole - self.of_budgets):
                return _too_long_for(called, seconds, left)
        return None

    def _too_long(self, video: PlannedVideo) -> str | None:
        whole = {f"max_minutes={self.max_minutes or 0:g}": self.max_minutes and self.max_minutes * 60}
        for called, seconds in {**whole, **self.room.whole}.items():
            if seconds is not None and (video.seconds or 0.0) > seconds:
                return f"about {video.minutes:.1f} minutes, longer than all of {called}."
        return None

    def _of_budgets(self, video: PlannedVideo) -> int:
        """What it takes of the budgets beside what this run holds for it."""
        return max(video.whole_seconds - self.room.held.get(video.name, 0), 0)


def _too_long_for(limit: str, seconds: float, left: float) -> str:
    return f"about {seconds / 60:.1f} minutes, and {max(left, 0) / 60:.1f} of {limit} were left."


_TOO_LONG = (
    f"the storyboard is wrong: its video would last {MAX_VIDEO / 3600:.0f} hours or more, see its minimumDuration "
    "and <break>s."
)


def _name_of(given: Any, number: int) -> str:
    return " ".join((given_name(given) or "").split())[:100] or f"storyboard {number}"


def _on_one_line(error: InvalidRequestError) -> str:
    return "the storyboard is wrong: " + "; ".join(str(problem) for problem in error.problems)
