"""The order for a delivery: which job's files go where, under which name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...provider.delivery.media_kind import VIDEO, MediaKind, Subtitles, beside
from ...provider.quoting import quotable
from .own_folder import OwnName
from .place import Place, place_of


@dataclass(frozen=True)
class Order:
    """What is to be delivered, and where (source: ours).

    :param job_id: a finished render job.
    :param destination: of the video: an absolute path or a URL.
    :param task_id: for messages.
    :param own: the owner of the temporary folders, see ``own_name``.
    :param video_name: for messages and the sidecar.
    :param subtitles: which, beside the video.
    :param thumbnail: whether to put one beside the video.
    :param sidecar: whether to put the video's description beside it.
    :param metadata: for the sidecar; JSON.
    :param made_by: for the sidecar.
    """

    job_id: str
    destination: str
    task_id: str
    own: OwnName
    video_name: str | None = None
    subtitles: tuple[Subtitles, ...] = ()
    thumbnail: bool = False
    sidecar: bool = False
    metadata: Mapping[str, Any] = field(default_factory=dict)
    made_by: Mapping[str, Any] = field(default_factory=dict)

    def place(self, destination: str) -> Place:
        """The place of the video, or of a file beside it.

        :param destination: an absolute path or a URL.
        :raises ConfigurationError: no such storage can be used from here.
        :raises DeliveryError: the storage cannot be reached now.
        """
        return place_of(destination, self.own, self.task_id)

    @property
    def sidecar_destination(self) -> str | None:
        """The destination of the sidecar, None for none."""
        return beside(self.destination, ".json") if self.sidecar else None

    def title(self, kind: MediaKind) -> str:
        """What messages call one of the files.

        :param kind: of the file.
        """
        named = f" {quotable(self.video_name)!r}" if self.video_name else ""
        return (
            f"{kind.title}{named}" if kind is VIDEO else f"{kind.title}{' of video' + named if named else ''}"
        )
