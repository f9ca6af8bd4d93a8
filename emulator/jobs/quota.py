"""What is left of the minutes of video that the caller has bought. Source: ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..rendering.film.reading_time import SHORTEST_SCENE_SECONDS, reading_seconds
from ..rendering.sound.ssml import visible_text

UNLIMITED_MINUTES = 1_000_000.0


@dataclass(frozen=True)
class Quota:
    """The minutes of video of this service's one user.

    :param minutes_total: bought
    :param minutes_used: by renders which have not failed
    """

    minutes_total: float
    minutes_used: float

    @property
    def minutes_left(self) -> float:
        """What may still be rendered."""
        return max(self.minutes_total - self.minutes_used, 0.0)

    @classmethod
    def of(cls, minutes_total: float | None, seconds_used: float) -> Quota:
        """Make the quota.

        :param minutes_total: absent: as good as no limit
        :param seconds_used: by renders which have not failed
        """
        return cls(UNLIMITED_MINUTES if minutes_total is None else minutes_total, round(seconds_used / 60, 4))

    def covers(self, seconds: float) -> bool:
        """Tell whether enough is left for a video.

        :param seconds: of the video
        """
        return seconds / 60 <= self.minutes_left


def estimated_seconds(storyboard: dict[str, Any]) -> float:
    """Say how long a video will be, before anything of it is made: speech is left out, so it may be longer.

    :param storyboard: the accepted request, wire names
    """
    return sum(
        max(
            scene.get("minimumDuration") or 0.0,
            reading_seconds(visible_text(scene.get("text") or "")),
            SHORTEST_SCENE_SECONDS,
        )
        for scene in storyboard.get("scenes") or []
    )
