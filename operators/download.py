"""Downloads a rendered video to its destination."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from ..hooks.airflow.errors import airflow_errors
from ..hooks.airflow.failure_xcom import telling_failures
from ..hooks.airflow.job_xcom import tell_of_job
from ..hooks.airflow.links import VideoLink
from .base.delivery_order import check_subtitles, delivery_order
from .base.lineage import LineageMixin, at_service, stored
from .base.video_creation import BaseVideoCreationOperator

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import Context, ObjectStoragePath, XComArg

    from ..provider.delivery.dataset_name import DatasetName


class DownloadVideoOperator(LineageMixin, BaseVideoCreationOperator):
    """Downloads the .mp4 of a finished render to any storage that Airflow can write (source: ours).

    The job is read again, since media URLs expire. A download that breaks off is resumed. The destination appears whole
    or not at all. A retry writes it again, unless a sidecar proves that this very video is there. The files beside it
    share its name: ``news.mp4``, ``news.srt``, ``news.jpg``, ``news.json``.

    Each asset among ``outlets`` gets an event whose extra describes the video (docs/recipes/delivery.md), so that a DAG
    scheduled on it can publish. The XCom ``delivery`` holds the same.

    :param job_id: a finished render job: its id, or the dict that a waiting operator returned. Templated.
    :param destination: a path or URL for ObjectStoragePath, such as ``s3://conn_id@bucket/a.mp4``; one that ends with a
        slash is a folder, in which the file is named ``<video_name>.mp4``, or after the job. Templated.
    :param video_name: the video's name, for the file in a folder, messages and the sidecar. Videos in one folder need
        different names. Templated. Default: none.
    :param subtitles: which subtitles to put beside the video: ``srt``, ``vtt``. Default: none.
    :param thumbnail: whether to put the video's picture beside it.
    :param sidecar: whether to put a JSON file beside it that says how it was made.
    :param metadata: a dict of your own, such as a title and a description, for the sidecar and the event. Templated.
    :param video_creation_conn_id: the connection. Templated.
    :param user_id: fills the user-id header instead of the connection's ``user_id``. Templated.
    :return: the destination, as a string.
    :raises ConfigurationError: an argument is wrong, the job is not finished or not a render job, or the destination is
        not a URL.
    :raises JobFailedError: the render failed.
    :raises DeliveryError: the destination cannot be written; or the video is there, but a file that was asked for
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
        with airflow_errors():
            self.subtitles = check_subtitles(subtitles, self.task_id)
        self.thumbnail = thumbnail
        self.sidecar = sidecar
        self.metadata: Any = metadata
        self._delivered: list[str | None] = []

    @telling_failures
    def execute(self, context: Context) -> str:
        """Download the video, and what was asked for beside it."""
        from ..hooks.delivery.video_delivery import VideoDelivery
        from ..provider.models.job import job_id_of
        from ..provider.submission.shown_job import ShownJob

        self.job_id = job_id_of(self.job_id)
        with airflow_errors():
            order = delivery_order(
                context,
                task_id=self.task_id,
                job_id=self.job_id,
                destination=self.destination,
                video_name=self.video_name,
                subtitles=self.subtitles,
                thumbnail=self.thumbnail,
                sidecar=self.sidecar,
                metadata=self.metadata,
                log=self.log,
            )
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
        """The video, and the files beside it."""
        return stored(self._delivered)

    def _tell_of(self, extra: dict[str, Any], context: Context) -> None:
        """Push what describes the video, and add it to the event that Airflow makes for each asset on success."""
        from ..hooks.airflow.outlet_events import tell_outlets

        ti: Any = context.get("ti")
        if ti is not None:
            ti.xcom_push(key="delivery", value=extra)
        tell_outlets(context, self.outlets, extra, self.log)
