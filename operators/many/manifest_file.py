"""Keeps the manifest of a task that makes many videos up to date while they end."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ...provider.errors import DeliveryError

if TYPE_CHECKING:
    from ...hooks.delivery.manifest import Manifest
    from ...provider.videos.video_outcome import VideoOutcome

WRITE_EVERY = 10.0
"""Seconds between two writes of the manifest (ours)."""
REST_AFTER_ERROR = 300.0
"""Seconds until a storage that refused it is tried again (ours)."""
SECONDS_TO_END = 60.0
"""How long the end of a task waits for a write that is under way (ours)."""


class ManifestFile:
    """Writes the manifest outside the main thread, which alone records what is paid for, and must not wait for a
    storage.

    :param manifest: None where none is asked for.
    :param clock: gives epoch seconds.
    :param log: the task's log.
    """

    def __init__(self, manifest: Manifest | None, clock: Callable[[], float], log: Any) -> None:
        self._manifest = manifest
        self._clock = clock
        self._log = log
        self._next_at = -math.inf
        self._writing: threading.Thread | None = None

    def try_out(self) -> None:
        """Write it empty, to find out whether it can be written.

        :raises DeliveryError: it cannot.
        """
        if self._manifest is None:
            return
        try:
            self._manifest.write([])
        except DeliveryError as error:
            error.args = (f"{error} Nothing was sent, and nothing was paid.",)
            raise

    def show(self, outcomes: Sequence[VideoOutcome]) -> None:
        """Write it soon, if it is time to; return at once.

        :param outcomes: outcomes of the videos that have ended so far.
        """
        now = self._clock()
        if self._manifest is None or now < self._next_at or (self._writing and self._writing.is_alive()):
            return
        self._next_at = now + WRITE_EVERY
        self._writing = threading.Thread(
            target=self._write, args=(list(outcomes),), name="video-creation-manifest", daemon=True
        )
        self._writing.start()

    def finish(self, outcomes: Sequence[VideoOutcome]) -> None:
        """Write it, and return when that is done.

        :param outcomes: outcomes of the videos that have ended, in the order of the list.
        """
        if self._writing:
            self._writing.join(SECONDS_TO_END)
            if self._writing.is_alive():
                self._log.warning(
                    "The manifest was not written: its storage has not answered for %d s. The next try of the task "
                    "writes it",
                    SECONDS_TO_END,
                )
                return
        self._write(outcomes)

    def _write(self, outcomes: Sequence[VideoOutcome]) -> None:
        if self._manifest is None:
            return
        try:
            self._manifest.write(outcome.to_manifest() for outcome in outcomes)
        except DeliveryError as error:
            self._next_at = self._clock() + REST_AFTER_ERROR
            self._log.warning("%s", error)
