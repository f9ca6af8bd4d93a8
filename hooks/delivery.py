"""Delivers a finished video, and what belongs beside it, to where it was ordered."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..provider.delivery.delivered_video import LARGEST_SIDECAR, DeliveredFile, DeliveredVideo
from ..provider.delivery.media_kind import HEAD, SUBTITLES, THUMBNAIL, VIDEO, MediaKind, Subtitles, beside
from ..provider.delivery.progress import size_text
from ..provider.models.job import Job, ended_badly
from ..provider.protocol.errors import ConfigurationError, DeliveryError, VideoCreationError
from ..provider.protocol.quoting import quotable
from .delivery_place import holds, place_of, read_at_most, sha256_of
from .own_folder import own_folder

if TYPE_CHECKING:
    from .video_creation import VideoCreationHook


@dataclass(frozen=True)
class Order:
    """What is to be delivered, and where (source: ours).

    :param job_id: a finished render job.
    :param destination: of the video: an absolute path or a URL.
    :param task_id: for messages.
    :param own: how names of temporary folders begin, see ``own_name``.
    :param video_name: for messages and the sidecar.
    :param subtitles: which, beside the video.
    :param thumbnail: whether there shall be one beside the video.
    :param sidecar: whether the video's description shall stand beside it.
    :param metadata: for the sidecar; JSON.
    :param made_by: for the sidecar.
    """

    job_id: str
    destination: str
    task_id: str
    own: str
    video_name: str | None = None
    subtitles: tuple[Subtitles, ...] = ()
    thumbnail: bool = False
    sidecar: bool = False
    metadata: Mapping[str, Any] = field(default_factory=dict)
    made_by: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sidecar_destination(self) -> str | None:
        """Where the sidecar is, None for none."""
        return beside(self.destination, ".json") if self.sidecar else None

    def title(self, kind: MediaKind) -> str:
        """What messages call one of the files.

        :param kind: of the file.
        """
        named = f" {quotable(self.video_name)!r}" if self.video_name else ""
        return (
            f"{kind.title}{named}" if kind is VIDEO else f"{kind.title}{' of video' + named if named else ''}"
        )


class VideoDelivery:
    """One delivery (source: ours).

    Where there is a sidecar, it says what was delivered before: what stands there unchanged, by its checksum, is not
    fetched again. It is written last, and taken away before the video is replaced.

    :param order: what is to be delivered.
    :param hook: reads the job.
    :param tell: takes lines for the log.
    :param now: tells the time.
    """

    def __init__(
        self,
        order: Order,
        hook: VideoCreationHook,
        tell: Callable[[str], None],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._order = order
        self._hook = hook
        self._tell = tell
        self._now = now
        self._place = place_of(order.destination, order.own, order.task_id)

    def run(self) -> DeliveredVideo:
        """Deliver what is not there yet.

        :return: what is there now.
        :raises ConfigurationError: the job is not finished, or no render job.
        :raises JobFailedError: the render failed.
        :raises DeliveryError: the destination cannot be written; or a file beside the video cannot be had, while the
            video is there.
        :raises ServiceUnreachableError: the media host failed, or the video did not arrive whole.
        """
        order = self._order
        before = self._delivered_before()
        files = dict(before.files) if before else {}
        kinds = [
            VIDEO,
            *(SUBTITLES[name] for name in order.subtitles),
            *([THUMBNAIL] if order.thumbnail else []),
        ]
        failures: list[str] = []
        with own_folder(Path(tempfile.gettempdir()), order.own) as folder:
            for kind in kinds:
                if kind.name in files:
                    self._tell(
                        f"{_sentence(order.title(kind))} of job {order.job_id} is there already, with the same "
                        "checksum: not fetched again"
                    )
                    continue
                try:
                    files[kind.name] = self._deliver(kind, folder)
                except VideoCreationError as error:
                    if kind is VIDEO:
                        raise
                    failures.append(f"{kind.title}: {error}")
            delivered = self._description(files, before)
            if order.sidecar and delivered != before:
                self._write_sidecar(delivered, folder / "sidecar.json")
        if failures:
            again = (
                "A retry fetches only what is missing."
                if order.sidecar
                else "A retry fetches all of it again."
            )
            raise DeliveryError(
                f"The {order.title(VIDEO)} of job {order.job_id} is at {order.destination}, but what was asked for "
                f"beside it is not. {' '.join(failures)} {again}"
            )
        return delivered

    def _delivered_before(self) -> DeliveredVideo | None:
        """What an earlier try or run has delivered of this very job, and is there unchanged."""
        order = self._order
        if order.sidecar_destination is None:
            return None
        sidecar = place_of(order.sidecar_destination, order.own, order.task_id)
        told = DeliveredVideo.from_json(read_at_most(sidecar, LARGEST_SIDECAR))
        video = told.files.get(VIDEO.name) if told else None
        if told is None or told.job_id != order.job_id or video is None:
            return None
        if not holds(self._place, video.size, video.sha256):
            return None
        files = {
            name: file for name, file in told.files.items() if name == VIDEO.name or self._is_there(file)
        }
        return replace(told, files=files)

    def _is_there(self, file: DeliveredFile) -> bool:
        folder = self._order.destination.rpartition("/")[0]
        place = place_of(f"{folder}/{file.file}", self._order.own, self._order.task_id)
        return holds(place, file.size, file.sha256)

    def _description(
        self, files: Mapping[str, DeliveredFile], before: DeliveredVideo | None
    ) -> DeliveredVideo:
        order = self._order
        known = before or DeliveredVideo(order.job_id, duration=self._job.duration)
        now = replace(known, files=files, video_name=order.video_name, metadata=order.metadata)
        if now == before:
            return now
        return replace(now, made_by=order.made_by, delivered_at=self._now().isoformat(timespec="seconds"))

    def _deliver(self, kind: MediaKind, folder: Path) -> DeliveredFile:
        """Fetch one file and put it where it belongs."""
        order = self._order
        arrived = folder / kind.name
        size = self._fetch(kind, arrived)
        with arrived.open("rb") as file:
            ending = kind.ending(file.read(HEAD)) or ""
            file.seek(0)
            sha256 = sha256_of(file)
        destination = order.destination if kind is VIDEO else beside(order.destination, ending)
        if kind is VIDEO and order.sidecar_destination:
            # Otherwise it would tell of the video that is replaced.
            with suppress(Exception):
                place_of(order.sidecar_destination, order.own, order.task_id).remove()
        self._put(arrived, destination, order.title(kind))
        arrived.unlink()
        self._tell(
            f"{_sentence(order.title(kind))} of job {order.job_id}, {size_text(size)}, is at {destination}"
        )
        return DeliveredFile(destination.rpartition("/")[2], size, sha256)

    def _write_sidecar(self, delivered: DeliveredVideo, file: Path) -> None:
        assert self._order.sidecar_destination
        file.write_text(delivered.to_json(), "utf-8")
        self._put(file, self._order.sidecar_destination, f"sidecar of {self._order.title(VIDEO)}")

    def _fetch(self, kind: MediaKind, target: Path) -> int:
        from .media_download import download

        order = self._order

        def renewed() -> str:
            self._tell(f"The media URL of job {order.job_id} has expired, reading the job again")
            del self._job
            return self._url(kind)

        try:
            return download(
                self._url(kind),
                target,
                self._hook.profile,
                job_id=order.job_id,
                kind=kind,
                title=order.title(kind),
                renew=renewed,
                tell=self._tell,
            )
        except OSError as error:
            raise DeliveryError(
                f"The {order.title(kind)} of job {order.job_id} cannot be kept in {target.parent.parent} on its way: "
                f"{error.strerror or error}. "
                "Make room there, or set TMPDIR to another folder of the worker."
            ) from error

    @cached_property
    def _job(self) -> Job:
        return self._hook.get_job(self._order.job_id)

    def _url(self, kind: MediaKind) -> str:
        job = self._job
        if job.state in ("failed", "cleaned"):
            raise ended_badly(job)
        if job.state != "completed" or not job.video_url:
            state = f"is {job.state}" if job.state != "completed" else "has no video"
            raise ConfigurationError(
                f"Job {job.job_id} {state}, so there is nothing to download: pass the id of a render job "
                "and wait for it with VideoJobSensor before."
            )
        url: str | None = getattr(job, kind.job_field)
        if not url:
            raise DeliveryError(f"The service offers none for job {job.job_id}.")
        return url

    def _put(self, arrived: Path, destination: str, title: str) -> None:
        place = place_of(destination, self._order.own, self._order.task_id)
        try:
            place.put(arrived)
        # Every file system has errors of its own.
        except Exception as error:
            raise DeliveryError(
                f"The {title} of job {self._order.job_id} cannot be written to {destination}: "
                f"{quotable(str(error)) or type(error).__name__}. The rendered video is still at the service: "
                "correct destination= or its rights, and clear this task."
            ) from error


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
