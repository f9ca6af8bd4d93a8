"""What is already at a destination, according to its sidecar: it need not be fetched again, or is removed."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from ...provider.delivery.delivered_video import (
    MAX_SIDECAR,
    DeliveredFile,
    DeliveredVideo,
    is_by_another_task,
)
from ...provider.delivery.media_kind import VIDEO, beside
from .order import Order
from .place import Place, holds, read_at_most


class StandingDelivery:
    """What an earlier task, run or try has delivered under an order's name (source: ours).

    :param order: what is to be delivered.
    """

    def __init__(self, order: Order) -> None:
        self._order = order
        self._sidecar = order.place(beside(order.destination, ".json"))
        self._told = DeliveredVideo.from_json(read_at_most(self._sidecar, MAX_SIDECAR))

    def rival(self) -> str | None:
        """The warning if another task of this very run has delivered another video under this name."""
        order, told = self._order, self._told
        if not told or told.job_id == order.job_id or not is_by_another_task(told.made_by, order.made_by):
            return None
        return (
            f"The {order.title(VIDEO)} of job {order.job_id} replaces that of job {told.job_id} at "
            f"{order.destination}, which task {told.made_by.get('task_id')!r}, map index "
            f"{told.made_by.get('map_index')}, has delivered in this very run. Give them different names"
        )

    def unchanged(self) -> DeliveredVideo | None:
        """The files of this very job that have been delivered and are unchanged; None without the video."""
        told = self._told
        video = told.files.get(VIDEO.name) if told else None
        if told is None or told.job_id != self._order.job_id or video is None:
            return None
        if not holds(self._order.place(self._order.destination), video.size, video.sha256):
            return None
        files = {
            name: file for name, file in told.files.items() if name == VIDEO.name or self._is_there(file)
        }
        return replace(told, files=files)

    def clear_away(self, video: DeliveredFile) -> None:
        """Remove the sidecar that would describe a replaced video, and the files that it lists.

        A file that has changed since stays, and everything stays if the video is the same.

        :param video: the video that replaces the old one.
        """
        told = self._told
        if told and told.job_id == self._order.job_id:
            was = told.files.get(VIDEO.name)
            if was and (was.size, was.sha256) == (video.size, video.sha256):
                return
        if told or self._order.sidecar:
            with suppress(Exception):
                self._sidecar.remove()
        for name, file in told.files.items() if told else ():
            if name != VIDEO.name and file.file != video.file and self._is_there(file):
                with suppress(Exception):
                    self._place_of(file).remove()

    def _is_there(self, file: DeliveredFile) -> bool:
        return holds(self._place_of(file), file.size, file.sha256)

    def _place_of(self, file: DeliveredFile) -> Place:
        folder = self._order.destination.rpartition("/")[0]
        return self._order.place(f"{folder}/{file.file}")
