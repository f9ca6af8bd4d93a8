"""Whether a storyboard's speaker is a voice of the service, with as few requests as possible."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from ...provider.errors import Problem, ServiceError
from ...provider.service_lists.voices import Voices
from .kept_voices import KeptVoices


class SpeakerCheck:
    """Checks the speakers of one task; the voices are listed once more before an unknown one is refused.

    :param kept: what this machine last saw.
    :param ask: lists the service's voices now.
    :param log: the task's log.
    """

    def __init__(self, kept: KeptVoices, ask: Callable[[], Voices], log: logging.Logger | Any) -> None:
        self._kept = kept
        self._ask = ask
        self._log = log
        self._asking = threading.Lock()
        self._is_asked = False
        self._voices: Voices | None = None

    def problem(self, speaker: str) -> Problem | None:
        """What is wrong with a speaker; None if the service has it, or cannot say.

        :param speaker: of a storyboard.
        """
        with self._asking:
            if not self._is_asked:
                kept = self._kept.read()
                if kept and speaker in kept.names:
                    return None
                self._voices = self._asked()
        return self._voices.problem(speaker) if self._voices else None

    def _asked(self) -> Voices | None:
        """What the service lists now; None if it cannot be read, which does not stop a video."""
        self._is_asked = True
        try:
            voices = self._ask()
        except ServiceError as error:
            self._log.warning(
                "The voices could not be listed, so speakers are not checked before they are sent: %s", error
            )
            return None
        if voices.can_refuse:
            self._kept.keep(voices)
        else:
            why = "has further pages" if voices.names else "names no voice that can be read"
            self._log.warning(
                "The service's list of voices %s, so a speaker that is not on it is sent anyway.", why
            )
        return voices
