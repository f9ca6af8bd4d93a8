"""Fetches a rendered video to where it belongs."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .base import BaseVideoCreationOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, ObjectStoragePath

    from ..provider.models.job import Job


class DownloadVideoOperator(BaseVideoCreationOperator):
    """Downloads the .mp4 of a finished render to any storage that Airflow can write (source: ours).

    The job is read again, since media URLs expire. The destination appears whole or not at all; a
    retry writes it anew.

    :param job_id: a finished render job.
    :param destination: a path or URL for ObjectStoragePath, such as ``s3://conn_id@bucket/a.mp4``; one that
        ends with a slash is a folder, in which the file is named after the job.
    :param video_creation_conn_id: the connection.
    :param user_id: fills the user-id header instead of the connection's ``user_id``.
    :return: the destination, as a text.
    :raises ConfigurationError: the job is not finished or no render job, or the destination is no URL.
    :raises JobFailedError: the render failed.
    :raises DeliveryError: the destination cannot be written.
    :raises ServiceUnreachableError: the media host failed, or the file did not arrive whole.
    """

    template_fields: Sequence[str] = ("job_id", "destination", *BaseVideoCreationOperator.template_fields)

    def __init__(self, *, job_id: str, destination: str | ObjectStoragePath, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.job_id = job_id
        self.destination = destination

    def execute(self, context: Context) -> str:
        """Download the video."""
        from ..hooks.airflow_errors import airflow_errors
        from ..hooks.media_download import download
        from ..provider.protocol.errors import NotFoundError

        with airflow_errors():
            destination = self._destination()
            with tempfile.TemporaryDirectory(prefix="video-creation-") as folder:
                local = Path(folder) / "video.mp4"
                try:
                    size = download(self._video_url(), local, self.hook.profile, job_id=self.job_id)
                except NotFoundError:
                    self.log.info("The media URL of job %s has expired, reading the job again", self.job_id)
                    size = download(self._video_url(), local, self.hook.profile, job_id=self.job_id)
                self._deliver(local, destination)
        self.log.info("Video of job %s, %.1f MB, is at %s", self.job_id, size / 1e6, destination)
        return str(destination)

    def _video_url(self) -> str:
        from ..provider.protocol.errors import ConfigurationError

        job: Job = self.hook.get_job(self.job_id)
        if job.state in ("failed", "cleaned"):
            from ..provider.models.job import ended_badly

            raise ended_badly(job)
        if job.state != "completed" or not job.video_url:
            state = f"is {job.state}" if job.state != "completed" else "has no video"
            raise ConfigurationError(
                f"Job {self.job_id} {state}, so there is nothing to download: pass the id of a render job "
                "and wait for it with VideoJobSensor before."
            )
        return job.video_url

    def _destination(self) -> ObjectStoragePath:
        from airflow.providers.common.compat.sdk import ObjectStoragePath

        from ..provider.protocol.errors import ConfigurationError

        if not str(self.destination).strip():
            raise ConfigurationError(
                f"Task {self.task_id!r} needs destination=, such as 's3://conn_id@bucket/a.mp4'."
            )
        try:
            path = ObjectStoragePath(self.destination)
        except (ValueError, ImportError, TypeError) as error:
            raise ConfigurationError(
                f"The destination {str(self.destination)!r} of task {self.task_id!r} cannot be used: {error}"
            ) from None
        return path / f"{self.job_id}.mp4" if str(self.destination).endswith("/") else path

    def _deliver(self, local: Path, destination: ObjectStoragePath) -> None:
        """Put the file in place in one step: by renaming where it is local, by one upload elsewhere."""
        from ..provider.protocol.errors import DeliveryError

        try:
            if destination.protocol in ("file", ""):
                target = Path(destination.path)
                target.parent.mkdir(parents=True, exist_ok=True)
                with tempfile.TemporaryDirectory(dir=target.parent, prefix=".video-creation-") as beside:
                    partial = Path(beside) / target.name
                    shutil.copyfile(local, partial)
                    partial.replace(target)
            else:
                destination.fs.put_file(str(local), destination.path)
        except OSError as error:
            raise DeliveryError(
                f"The video of job {self.job_id} cannot be written to {destination}: {error}. Nothing was left there; "
                "the rendered video is still at the service. Correct destination= or its rights and clear this task."
            ) from error
