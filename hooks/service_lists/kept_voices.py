"""Keeps the names of the service's voices on this machine for a few minutes, so that a mapped task asks once.

The instances of a mapped task are separate processes, so they share a file, see ``hooks.private_files``. It holds names
of voices and no secret. Nothing depends on it: what cannot be kept or read is asked for again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence

from ...provider.service_lists.voices import Voices
from ..private_files import PrivateFiles

KEPT_FOR = 300.0
"""Seconds (ours)."""


class KeptVoices:
    """The voices of one service and user, as this machine last saw them.

    :param subject: what the list depends on, such as the base URL, the user id and the path.
    :param clock: gives epoch seconds.
    """

    def __init__(self, subject: Sequence[str | None], clock: Callable[[], float]) -> None:
        self._name = f"voices-{hashlib.sha256(json.dumps(subject).encode()).hexdigest()[:32]}"
        self._clock = clock

    def read(self) -> Voices | None:
        """The voices of at most ``KEPT_FOR`` seconds ago, None where there are none."""
        try:
            kept = json.loads(PrivateFiles().read(self._name) or b"")
            voices = Voices(frozenset(map(str, kept["names"])), int(kept["count"]), is_whole=True)
            return voices if 0 <= self._clock() - float(kept["at"]) < KEPT_FOR else None
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
            return None

    def keep(self, voices: Voices) -> None:
        """Keep the voices, if that is possible.

        :param voices: all of them.
        """
        kept = {"at": self._clock(), "names": sorted(voices.names), "count": voices.count}
        PrivateFiles().write(self._name, json.dumps(kept).encode())
