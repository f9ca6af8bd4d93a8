"""Fetches a rendered video to where it belongs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

from ..hooks.airflow.errors import airflow_errors
from ..hooks.airflow.failure_xcom import telling_failures
from ..hooks.airflow.job_xcom import tell_of_job
from ..hooks.airflow.links import VideoLink
from ..provider.errors import ConfigurationError
from ..provider.rendered_text import NONE_TEXT, is_none, is_nothing
from .base.lineage import LineageMixin, at_service, stored
from .base.video_creation import BaseVideoCreationOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, ObjectStoragePath, XComArg

    from ..hooks.delivery.order import Order
    from ..provider.delivery.dataset_name import DatasetName

SUBTITLES = ("srt", "vtt")
_NO_PLACE = (
    rf"(?:[^:/]+://(?:[^/]*@)?)?(?:{NONE_TEXT}/*)?|(?:s3a?|gc?s|abfss?)://(?:[^/]*@)?(?:{NONE_TEXT})?/.*"
)
"""What a template makes of a value that is not there; or an address in an object store without a bucket."""


class DownloadVideoOperator(LineageMixin, BaseVideoCreationOperator):
    """Downloads the .mp4 of a finished render to any storage that Airflow can write (source: ours).

    The job is read again, since media URLs expire. A connection that breaks off is gone on with. The destination
    appears whole or not at all; a retry writes it again, unless a sidecar proves that this very video is there. What
    stands beside it has its name: ``news.mp4``, ``news.srt``, ``news.jpg``, ``news.json``.

    Each asset among ``outlets`` gets an event whose extra describes the video (docs/delivery.md), so that a DAG
    scheduled on it can publish. The XCom ``delivery`` holds the same.

    :param job_id: a finished render job: its id, or the dict that an operator which waits returned. Templated.
    :param destination: a path or URL for ObjectStoragePath, such as ``s3://conn_id@bucket/a.mp4``; one that ends with a
        slash is a folder, in which the file is ``<video_name>.mp4``, or named after the job. Templated.
    :param video_name: the video's name, for a folder, messages and the sidecar; in one folder each needs its own.
        Templated. Default: none.
    :param subtitles: which to put beside the video: ``srt``, ``vtt``. Default: none.
    :param thumbnail: whether to put the video's picture beside it.
    :param sidecar: whether to put a JSON file beside it that says how it was made.
    :param metadata: a dict of your own, such as a title and a description, for the sidecar and the event. Templated.
    :param video_creation_conn_id: the connection. Templated.
    :param user_id: fills the user-id header instead of the connection's ``user_id``. Templated.
    :return: the destination, as a text.
    :raises ConfigurationError: an argument is wrong, the job is not finished or no render job, or the destination is
        no URL.
    :raises JobFailedError: the render failed.
    :raises DeliveryError: the destination cannot be written; or the video is there, and a file that was asked for
        beside it is not.
    :raises ServiceUnreachableError: the media host failed, or the file did not arrive whole.
    """

    operator_extra_links = (VideoLink(),)
    template_fields: Sequence[str] = (
        "job_id",
        "destination",
        "video_name",
        "metadata",
        *BaseVideoCreationOperator.template_fields,
    )

    def __init__(
        self,
        *,
        job_id: str | XComArg,
        destination: str | ObjectStoragePath,
        video_name: str | XComArg | None = None,
        subtitles: Sequence[Literal["srt", "vtt"]] | Literal["srt", "vtt"] = (),
        thumbnail: bool = False,
        sidecar: bool = False,
        metadata: Mapping[str, Any] | XComArg | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.job_id: Any = job_id
        self.destination = destination
        self.video_name: Any = video_name
        self.subtitles = (subtitles,) if isinstance(subtitles, str) else tuple(subtitles)
        self.thumbnail = thumbnail
        self.sidecar = sidecar
        self.metadata: Any = metadata
        self._delivered: list[str | None] = []
        if unknown := [name for name in self.subtitles if name not in SUBTITLES]:
            with airflow_errors():
                raise ConfigurationError(
                    f"Task {self.task_id!r} has {unknown[0]!r} in subtitles=; give some of {', '.join(SUBTITLES)}."
                )

    @telling_failures
    def execute(self, context: Context) -> str:
        """Download the video, and what was asked for beside it."""
        from ..hooks.delivery.video_delivery import VideoDelivery
        from ..provider.models.job import job_id_of
        from ..provider.submission.shown_job import ShownJob

        self.job_id = job_id_of(self.job_id)
        with airflow_errors():
            order = self._order(context)
            shown = ShownJob(
                self.job_id,
                "render",
                self.video_creation_conn_id,
                user_id=self.user_id,
                video_name=order.video_name,
            )
            tell_of_job(context, shown, self.log)
            delivered = VideoDelivery(
                order,
                self.hook,
                tell=lambda line: self.log.info("%s", line),
                warn=lambda line: self.log.warning("%s", line),
            ).run()
        extra = delivered.event_extra(order.destination, order.sidecar_destination)
        self._delivered = [extra["path"], *extra["subtitles"].values(), extra["thumbnail"], extra["sidecar"]]
        self._tell_of(extra, context)
        return order.destination

    def datasets_read(self) -> Iterable[DatasetName | None]:
        """The render job."""
        return [at_service(self.hook, self.job_id)]

    def datasets_made(self) -> Iterable[DatasetName | None]:
        """The video, and what stands beside it."""
        return stored(self._delivered)

    def _order(self, context: Context) -> Order:
        from ..hooks.delivery.order import Order
        from ..hooks.delivery.own_folder import own_name

        ti: Any = context.get("ti")
        identity = ("dag_id", "task_id", "run_id", "map_index", "try_number")
        video_name = self._video_name()
        return Order(
            job_id=self.job_id,
            destination=self._destination(video_name),
            task_id=self.task_id,
            own=own_name(context),
            video_name=video_name,
            subtitles=tuple(dict.fromkeys(self.subtitles)),
            thumbnail=self.thumbnail,
            sidecar=self.sidecar,
            metadata=self._metadata(),
            made_by={name: getattr(ti, name, None) for name in identity} if ti else {},
        )

    def _video_name(self) -> str | None:
        from pydantic import TypeAdapter, ValidationError

        from ..provider.models.media import FileName

        if is_nothing(self.video_name):
            return None
        try:
            return TypeAdapter(FileName).validate_python(self.video_name)
        except ValidationError as error:
            why = error.errors()[0]["msg"].removeprefix("Value error, ")
            raise ConfigurationError(
                f"Task {self.task_id!r} has video_name={self.video_name!r}: it {why}."
            ) from None

    def _destination(self, video_name: str | None) -> str:
        given = str(self.destination or "").strip()
        if re.fullmatch(_NO_PLACE, given):
            from ..provider.quoting import quotable

            raise ConfigurationError(
                f"Task {self.task_id!r} needs destination=, such as 's3://conn_id@bucket/a.mp4'; "
                f"it is {quotable(given) or ''!r}, which is empty or has no bucket. "
                "Nothing was fetched, and nothing was paid."
            )
        self._warn_of_odd_names(given)
        if given.endswith("/"):
            given = f"{given}{video_name or quote(str(self.job_id), safe='')}.mp4"
        return str(Path(given).absolute()) if "://" not in given else given

    def _warn_of_odd_names(self, destination: str) -> None:
        from ..provider.text.file_names import trouble_with_name

        for name in destination.rpartition("://")[2].split("/"):
            if is_none(name.removesuffix(".mp4")):
                why: str | None = f"{NONE_TEXT!r} is what a template makes of a value that is not there"
            else:
                why = None if name in (".", "..") else trouble_with_name(name)
            if why:
                self.log.warning(
                    "The destination of task %r has an odd name in it, %r: %s. Is that intended?",
                    self.task_id,
                    name,
                    why,
                )

    def _metadata(self) -> dict[str, Any]:
        try:
            plain = json.loads(json.dumps(self.metadata or {}, allow_nan=False))
        except (TypeError, ValueError) as error:
            raise ConfigurationError(
                f"Task {self.task_id!r} has metadata= that is no JSON: {error}."
            ) from None
        if not isinstance(plain, dict):
            raise ConfigurationError(
                f"Task {self.task_id!r} has metadata= that is no dict, but {plain!r:.60}."
            )
        return plain

    def _tell_of(self, extra: dict[str, Any], context: Context) -> None:
        """Push what describes the video, and add it to the event that Airflow makes of each asset at success."""
        from airflow.providers.common.compat.sdk import Asset
        from airflow.sdk.definitions.asset import AssetRef

        ti: Any = context.get("ti")
        if ti is not None:
            ti.xcom_push(key="delivery", value=extra)
        for outlet in self.outlets:
            if isinstance(outlet, Asset | AssetRef):
                context["outlet_events"][outlet].extra.update(extra)
            else:
                self.log.warning("The outlet %s gets no event about the video: give an Asset", outlet)
