"""Fetches a rendered video to where it belongs."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from .base import BaseVideoCreationOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, ObjectStoragePath, XComArg

    from ..provider.models.job import Job

PACKAGES = {
    "abfs": "apache-airflow-providers-microsoft-azure",
    "abfss": "apache-airflow-providers-microsoft-azure",
    "gcs": "apache-airflow-providers-google",
    "gs": "apache-airflow-providers-google",
    "s3": "apache-airflow-providers-amazon[s3fs]",
    "s3a": "apache-airflow-providers-amazon[s3fs]",
}
"""What brings a protocol's file system to Airflow."""


class DownloadVideoOperator(BaseVideoCreationOperator):
    """Downloads the .mp4 of a finished render to any storage that Airflow can write (source: ours).

    The job is read again, since media URLs expire. The destination appears whole or not at all; a
    retry writes it anew, and clears away what a killed try has left on the worker's disk.

    :param job_id: a finished render job: its id, or the dict that an operator which waits returned.
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

    def __init__(self, *, job_id: str | XComArg, destination: str | ObjectStoragePath, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.job_id: Any = job_id
        self.destination = destination

    def execute(self, context: Context) -> str:
        """Download the video."""
        from ..hooks.airflow_errors import airflow_errors
        from ..provider.models.job import job_id_of

        self.job_id = job_id_of(self.job_id)
        with airflow_errors():
            destination = self._destination()
            own = _own_name(context)
            put = self._way_to(destination, own)
            with _own_folder(Path(tempfile.gettempdir()), own) as folder:
                arrived = folder / "video.mp4"
                size = self._fetch(arrived)
                self._deliver(arrived, destination, put)
        self.log.info("Video of job %s, %.1f MB, is at %s", self.job_id, size / 1e6, destination)
        return destination

    def _destination(self) -> str:
        from ..provider.protocol.errors import ConfigurationError

        given = str(self.destination or "").strip()
        if not given:
            raise ConfigurationError(
                f"Task {self.task_id!r} needs destination=, such as 's3://conn_id@bucket/a.mp4'."
            )
        if given.endswith("/"):
            given = f"{given}{quote(str(self.job_id), safe='')}.mp4"
        return str(Path(given).absolute()) if "://" not in given else given

    def _way_to(self, destination: str, own: str) -> Callable[[Path], None]:
        """What puts a file there; fails before anything is fetched where no such way is installed."""
        if local := _local_path(destination):
            return partial(_move_into_place, target=local, own=own)
        from airflow.providers.common.compat.sdk import ObjectStoragePath

        from ..provider.protocol.errors import ConfigurationError
        from ..provider.protocol.quoting import quotable

        try:
            path = ObjectStoragePath(destination)
            _ = path.fs
        # Every file system has errors of its own, for a connection that is missing as for a package.
        except Exception as error:
            package = PACKAGES.get(destination.partition("://")[0])
            install = f"; if it is not installed: pip install '{package}'" if package else ""
            raise ConfigurationError(
                f"The destination {destination!r} of task {self.task_id!r} cannot be used: "
                f"{quotable(str(error)) or type(error).__name__}{install}."
            ) from error
        return partial(_upload, place=path)

    def _fetch(self, target: Path) -> int:
        from ..hooks.media_download import download
        from ..provider.protocol.errors import DeliveryError, NotFoundError

        url = self._video_url()
        try:
            try:
                return download(url, target, self.hook.profile, job_id=self.job_id)
            except NotFoundError:
                self.log.info("The media URL of job %s has expired, reading the job again", self.job_id)
                return download(self._video_url(), target, self.hook.profile, job_id=self.job_id)
        except OSError as error:
            raise DeliveryError(
                f"The video of job {self.job_id} cannot be kept in {target.parent.parent} on its way: "
                f"{error.strerror or error}. "
                "Make room there, or set TMPDIR to another folder of the worker."
            ) from error

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

    def _deliver(self, arrived: Path, destination: str, put: Callable[[Path], None]) -> None:
        from ..provider.protocol.errors import DeliveryError
        from ..provider.protocol.quoting import quotable

        try:
            put(arrived)
        # Every file system has errors of its own.
        except Exception as error:
            raise DeliveryError(
                f"The video of job {self.job_id} cannot be written to {destination}: "
                f"{quotable(str(error)) or type(error).__name__}. The rendered video is still at the service: "
                "correct destination= or its rights, and clear this task."
            ) from error


def _local_path(destination: str) -> Path | None:
    """A path on the worker's disk, None for anything else; Airflow 3.1 would take a relative one from the root."""
    scheme, separator, rest = destination.partition("://")
    if not separator:
        return Path(destination)
    return Path(rest.removeprefix("localhost")) if scheme == "file" else None


def _own_name(context: Context) -> str:
    """How names of temporary folders begin that belong to this task in this run, in each of its tries."""
    ti: Any = context.get("ti")
    task = [ti.dag_id, ti.task_id, ti.run_id, ti.map_index] if ti else [str(uuid.uuid4())]
    return f".video-creation-{hashlib.sha256(json.dumps(task).encode()).hexdigest()[:24]}-"


@contextmanager
def _own_folder(parent: Path, own: str) -> Iterator[Path]:
    """A temporary folder; those of earlier tries, left there if a worker was killed, are removed."""
    for left in parent.glob(f"{own}*"):
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=parent, prefix=own) as folder:
        yield Path(folder)


def _move_into_place(arrived: Path, target: Path, own: str) -> None:
    """Copy beside the target, then rename: on one file system that happens whole or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with _own_folder(target.parent, own) as beside:
        partial = beside / target.name
        shutil.copyfile(arrived, partial)
        partial.replace(target)


def _upload(arrived: Path, place: ObjectStoragePath) -> None:
    """Upload at once. Object stores show an upload when it is whole; elsewhere what a failed one began is removed."""
    fs, path = place.fs, place.path
    was_there = True
    with suppress(Exception):
        was_there = fs.exists(path)
    try:
        fs.put_file(str(arrived), path)
    except BaseException:
        if not was_there:
            with suppress(Exception):
                fs.rm_file(path)
        raise
