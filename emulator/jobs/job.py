"""A job as the emulator remembers it."""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from ..contract.render import SETTINGS_FORMAT

Kind = Literal["storyboard", "render"]
State = Literal["in-progress", "completed", "failed", "cleaned"]


@dataclass(kw_only=True)
class Job:
    """One storyboard or render job.

    :param storyboard: the accepted request, wire names, without what was absent
    :param webhook: where the completion is delivered
    :param created_at: epoch seconds
    :param idempotency_key: under which it was submitted; the same key makes no second job
    :param charged_seconds: of the quota, as long as the job has not failed
    :param preview_id: unguessable id of the preview page
    :param least_seconds: that the job takes at least
    :param least_polls: at which poll the job is complete; 0: polls do not matter
    :param fate: what it was told to do wrong: `fail`, `purge`, `stall`
    :param purge_after: seconds between completion and purge
    :param finished_at: epoch seconds
    :param seconds: length of the finished film
    :param scenes: what the preview page shows of each scene
    :param notes: what was asked for and is left out or replaced, for the preview page
    :param is_announced: whether its end was delivered to the webhook, or that was given up
    :param has_media: whether files were made; otherwise placeholders are served
    """

    job_id: str
    kind: Kind
    storyboard: dict[str, Any]
    created_at: float
    preview_id: str
    webhook: str | None = None
    idempotency_key: str | None = None
    charged_seconds: float = 0.0
    least_seconds: float = 0.0
    least_polls: int = 0
    fate: str | None = None
    purge_after: float = 0.0
    state: State = "in-progress"
    finished_at: float | None = None
    seconds: float = 0.0
    scenes: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    has_media: bool = False
    is_announced: bool = False
    error_code: str | None = None
    error_message: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether there is something left to do."""
        return self.state == "in-progress" or (self.webhook is not None and not self.is_announced)

    @property
    def video_name(self) -> str:
        """The storyboard's videoName."""
        return str(self.storyboard["videoName"])

    @property
    def render_settings(self) -> dict[str, Any]:
        """What the render operation takes: opaque to callers."""
        return {
            "settingsFormat": SETTINGS_FORMAT,
            "previewId": self.preview_id,
            "storyboard": self.storyboard,
        }

    def state_at(self, now: float) -> State:
        """The state as a caller sees it: a result that is due to be purged is gone.

        :param now: epoch seconds
        """
        is_due = (
            self.fate == "purge"
            and self.finished_at is not None
            and now >= self.finished_at + self.purge_after
        )
        return "cleaned" if is_due and self.state == "completed" else self.state

    def to_json(self) -> str:
        """Write the job for the store."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, document: str) -> Job:
        """Read a job from the store.

        :param document: as `to_json` wrote it
        """
        return cls(**json.loads(document))


def new_id() -> str:
    """Make an id which nobody guesses."""
    return secrets.token_hex(12)
