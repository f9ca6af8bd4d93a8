"""A delivered video as the sidecar ``<video>.json`` and the extra of an asset event describe it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ..info import USER_AGENT
from .media_kind import SUBTITLES, THUMBNAIL, VIDEO

VERSION = 1
"""Of the sidecar and of the event's extra; a change that readers would notice raises it (ours)."""
MAX_SIDECAR = 4 * 1024 * 1024
"""Bytes; what is larger is none of ours (ours)."""


@dataclass(frozen=True)
class DeliveredFile:
    """One file.

    :param file: its name, in the folder of the video.
    :param size: bytes.
    :param sha256: of its content, in hexadecimal digits.
    """

    file: str
    size: int
    sha256: str


@dataclass(frozen=True)
class DeliveredVideo:
    """A video and the files beside it. It holds no URL of the service, since those are signed (source: ours).

    :param job_id: the render job.
    :param video_name: as given to the operator.
    :param duration: seconds, as the service says.
    :param files: by ``video``, ``srt``, ``vtt`` and ``thumbnail``; only those that are there.
    :param metadata: the DAG author's own.
    :param made_by: ``dag_id``, ``task_id``, ``run_id``, ``map_index`` and ``try_number``.
    :param delivered_at: ISO 8601, UTC.
    """

    job_id: str
    video_name: str | None = None
    duration: float | None = None
    files: Mapping[str, DeliveredFile] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    made_by: Mapping[str, Any] = field(default_factory=dict)
    delivered_at: str = ""

    def to_json(self) -> str:
        """The content of the sidecar."""
        document = {"version": VERSION, **asdict(self), "provider": USER_AGENT}
        return f"{json.dumps(document, indent=2, ensure_ascii=False)}\n"

    @classmethod
    def from_json(cls, content: bytes | None) -> DeliveredVideo | None:
        """Read a sidecar; None where it is not one of ours, or not of this version.

        :param content: of the file.
        """
        try:
            document = json.loads(content or b"")
            if document["version"] != VERSION:
                return None
            files = {
                str(kind): DeliveredFile(str(told["file"]), int(told["size"]), str(told["sha256"]))
                for kind, told in document["files"].items()
            }
            if any("/" in told.file or "\\" in told.file for told in files.values()):
                return None
            return cls(
                job_id=str(document["job_id"]),
                video_name=document.get("video_name"),
                duration=document.get("duration"),
                files=files,
                metadata=dict(document.get("metadata") or {}),
                made_by=dict(document.get("made_by") or {}),
                delivered_at=str(document.get("delivered_at", "")),
            )
        # A file of that name may contain anything else.
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None

    def event_extra(self, destination: str, sidecar: str | None) -> dict[str, Any]:
        """What the event of an asset tells a publishing DAG.

        :param destination: of the video; the other files are in its folder.
        :param sidecar: where it is, None for none.
        """
        folder = destination[: len(destination) - len(destination.rpartition("/")[2])]
        paths = {kind: f"{folder}{file.file}" for kind, file in self.files.items()}
        video = self.files[VIDEO.name]
        return {
            "version": VERSION,
            "path": destination,
            "job_id": self.job_id,
            "video_name": self.video_name,
            "duration": self.duration,
            "size": video.size,
            "sha256": video.sha256,
            "subtitles": {kind: paths[kind] for kind in SUBTITLES if kind in paths},
            "thumbnail": paths.get(THUMBNAIL.name),
            "sidecar": sidecar,
            "metadata": dict(self.metadata),
        }


def is_by_another_task(made_by: Mapping[str, Any], this: Mapping[str, Any]) -> bool:
    """Whether another task of the same run, or another map index of this one, has made a video (source: ours).

    :param made_by: as the sidecar says.
    :param this: the same of the task that asks; empty for none.
    """
    run, task = ("dag_id", "run_id"), ("task_id", "map_index")
    is_same_run = bool(this) and all(made_by.get(key) == this.get(key) for key in run)
    return is_same_run and any(made_by.get(key) != this.get(key) for key in task)
