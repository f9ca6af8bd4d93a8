"""Delivers a finished video, and the files beside it, to its destination."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ...provider.delivery.delivered_video import MAX_SIDECAR, DeliveredFile, DeliveredVideo
from ...provider.delivery.media_kind import HEAD, SUBTITLES, THUMBNAIL, VIDEO, MediaKind, beside
from ...provider.delivery.progress import size_text
from ...provider.errors import (
    DeliveryError,
    NotFoundError,
    PermissionDeniedError,
    UnreadableReplyError,
    VideoCreationError,
)
from ...provider.models.job import Job, result_of
from ...provider.quoting import quotable, sentence
from .order import Order
from .own_folder import own_folder
from .place import holds, read_at_most, sha256_of
from .standing_delivery import StandingDelivery

if TYPE_CHECKING:
    from ..video_creation import VideoCreationHook


class VideoDelivery:
    """One delivery (source: ours).

    If there is a sidecar, it says what was delivered before: files that are there unchanged, by their checksums, are
    not fetched again. It is written last. When another video replaces the old one, the old sidecar is removed with the
    files that it lists.

    :param order: what is to be delivered.
    :param hook: reads the job.
    :param tell: takes lines for the log.
    :param warn: takes lines for the log that somebody should read.
    :param now: tells the time.
    """

    def __init__(
        self,
        order: Order,
        hook: VideoCreationHook,
        tell: Callable[[str], None],
        warn: Callable[[str], None],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._order = order
        self._hook = hook
        self._tell = tell
        self._warn = warn
        self._now = now
        self._place = order.place(order.destination)
        self._mark: object = None

    def run(self) -> DeliveredVideo:
        """Deliver what is not there yet.

        :return: what is there now.
        :raises ConfigurationError: the job is not finished, or is not a render job.
        :raises JobFailedError: the render failed.
        :raises DeliveryError: the destination cannot be written; or the video is there, but a file beside it could not
            be delivered.
        :raises ServiceUnreachableError: the media host failed, or the video did not arrive whole.
        """
        order = self._order
        self._mark_it()
        before = StandingDelivery(order).unchanged() if order.sidecar else None
        files = dict(before.files) if before else {}
        kinds = [
            VIDEO,
            *(SUBTITLES[name] for name in order.subtitles),
            *([THUMBNAIL] if order.thumbnail else []),
        ]
        failures: list[str] = []
        try:
            with own_folder(Path(tempfile.gettempdir()), order.own.and_for("arriving")) as folder:
                for kind in kinds:
                    if kind.name in files:
                        self._tell(
                            f"{sentence(order.title(kind))} of job {order.job_id} is already there with the same "
                            "checksum, so it is not fetched again"
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
        except OSError as error:
            raise self._unkept(VIDEO, error) from error
        if failures:
            again = (
                "A retry fetches only what is missing."
                if order.sidecar
                else "A retry fetches all of it again."
            )
            raise DeliveryError(
                f"The {order.title(VIDEO)} of job {order.job_id} is at {order.destination}, but a file that was asked "
                f"for beside it is not. {' '.join(failures)} {again}"
            )
        return delivered

    def _mark_it(self) -> None:
        """Remember which file is at the destination."""
        self._mark = None
        if self._order.sidecar:
            with suppress(Exception):
                self._mark = self._place.mark()

    def _check_still_there(self, video: DeliveredFile) -> None:
        """A sidecar must not describe a video that another delivery has replaced."""
        with suppress(Exception):
            if self._mark is not None and self._place.mark() == self._mark:
                return
        if not holds(self._place, video.size, video.sha256):
            raise DeliveryError(
                f"The {self._order.title(VIDEO)} of job {self._order.job_id} was at {self._order.destination}, but "
                "something else has replaced it. Check whether another task delivers under this name, and give each a "
                "different one."
            )

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
        """Fetch one file and put it at its destination."""
        order = self._order
        arrived = folder / kind.name
        size = self._fetch(kind, arrived)
        with arrived.open("rb") as file:
            ending = kind.ending(file.read(HEAD)) or ""
            file.seek(0)
            sha256 = sha256_of(file)
        destination = order.destination if kind is VIDEO else beside(order.destination, ending)
        delivered = DeliveredFile(destination.rpartition("/")[2], size, sha256)
        if kind is VIDEO:
            self._put(arrived, destination, order.title(kind), lambda: self._replace(delivered))
            self._mark_it()
        else:
            self._put(arrived, destination, order.title(kind))
        arrived.unlink()
        self._tell(
            f"{sentence(order.title(kind))} of job {order.job_id}, {size_text(size)}, is at {destination}"
        )
        return delivered

    def _replace(self, video: DeliveredFile) -> None:
        """Remove what belongs to the video that is there now, which may have come after this task began."""
        standing = StandingDelivery(self._order)
        if rival := standing.rival():
            self._warn(rival)
        standing.clear_away(video)

    def _write_sidecar(self, delivered: DeliveredVideo, file: Path) -> None:
        destination, video = self._order.sidecar_destination, delivered.files[VIDEO.name]
        assert destination
        # As in a manifest: half of a surrogate pair is written as its JSON escape.
        content = delivered.to_json().encode(errors="backslashreplace")
        self._check_still_there(video)
        file.write_bytes(content)
        self._put(file, destination, f"sidecar of {self._order.title(VIDEO)}")
        try:
            self._check_still_there(video)
        except DeliveryError:
            with suppress(Exception):
                place = self._order.place(destination)
                if read_at_most(place, MAX_SIDECAR) == content:
                    place.remove()
            raise

    def _fetch(self, kind: MediaKind, target: Path) -> int:
        from .media_download import DOWNLOAD_VIDEO, download

        order = self._order

        def renewed() -> str:
            self._tell(f"The media URL of job {order.job_id} has expired. Reading the job again")
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
        except (NotFoundError, PermissionDeniedError, UnreadableReplyError) as error:
            if kind is not VIDEO or error.operation != DOWNLOAD_VIDEO or self._job.video_url:
                raise
            raise UnreadableReplyError(
                f"The service names no video file for job {order.job_id}, only a share page, and that does not lead "
                "to an .mp4 file. Nothing was kept, and this task paid nothing. Check the job at the service. When it "
                "names the video file, a retry fetches it and pays nothing.",
                operation=error.operation,
                job_id=order.job_id,
                status=error.status,
            ) from None
        except OSError as error:
            raise self._unkept(kind, error) from error

    def _unkept(self, kind: MediaKind, error: OSError) -> DeliveryError:
        """The worker's folder for temporary files is missing, full or not writable."""
        title, job_id = self._order.title(kind), self._order.job_id
        return DeliveryError(
            f"The {title} of job {job_id} cannot be stored in {tempfile.tempdir or 'a temporary folder'} during the "
            "download: "
            f"{error.strerror or error}. Make room there, or set TMPDIR to another folder of the worker. The video is "
            "still at the service: a retry fetches it, and pays nothing."
        )

    @cached_property
    def _job(self) -> Job:
        return self._hook.get_job(self._order.job_id)

    def _url(self, kind: MediaKind) -> str:
        job = self._job
        video_url: str = result_of(job, "video_url")
        url: str | None = video_url if kind is VIDEO else getattr(job, kind.job_field)
        if not url:
            raise DeliveryError(f"The service offers none for job {job.job_id}.")
        return url

    def _put(
        self, arrived: Path, destination: str, title: str, replacing: Callable[[], None] = lambda: None
    ) -> None:
        place = self._order.place(destination)
        try:
            place.put(arrived, replacing)
        # Every file system has its own errors.
        except Exception as error:
            raise DeliveryError(
                f"The {title} of job {self._order.job_id} cannot be written to {destination}: "
                f"{quotable(str(error)) or type(error).__name__}. The rendered video is still at the service. Correct "
                "destination= or its permissions, and clear this task."
            ) from error
