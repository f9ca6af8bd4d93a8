"""Voice-over by espeak-ng, which is loaded when the first scene speaks."""

from __future__ import annotations

import ctypes
import logging
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

log = logging.getLogger(__name__)

SAMPLE_RATE = 22_050
NORMAL_WORDS_PER_MINUTE = 165

_AUDIO_OUTPUT_RETRIEVAL = 1
_BUFFER_MS = 200
_DO_NOT_EXIT_ON_ERROR = 0x8000
_POSITION_IS_CHARACTER = 1
_CHARS_UTF8 = 0x01
_SSML = 0x10
_PARAMETER_RATE = 1

_SYNTH_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)

Samples = NDArray[np.int16]
SILENCE: Samples = np.zeros(0, np.int16)


@dataclass(frozen=True)
class Voice:
    """How a text is spoken.

    :param language: language code such as `en-US`
    :param speed: percent of the normal speed, 50 to 200
    :param gain: factor on the amplitude, 0 to 2
    """

    language: str = "en-US"
    speed: float = 100.0
    gain: float = 1.0


class _Espeak:
    """The espeak-ng library: one state for the whole process, so one call at a time."""

    def __init__(self) -> None:
        import espeakng_loader

        self._lock = threading.Lock()
        self._chunks: list[bytes] = []
        self._library: Any = ctypes.CDLL(espeakng_loader.get_library_path())
        rate = self._library.espeak_Initialize(
            _AUDIO_OUTPUT_RETRIEVAL,
            _BUFFER_MS,
            espeakng_loader.get_data_path().encode(),
            _DO_NOT_EXIT_ON_ERROR,
        )
        if rate != SAMPLE_RATE:
            raise OSError(f"espeak-ng did not start with its data: it answered {rate}")
        self._callback = _SYNTH_CALLBACK(self._keep)
        self._library.espeak_SetSynthCallback(self._callback)

    def _keep(self, samples: int | None, count: int, _events: int | None) -> int:
        if samples and count > 0:
            self._chunks.append(ctypes.string_at(samples, count * 2))
        return 0

    def speak(self, text: str, is_ssml: bool, voice: Voice) -> Samples:
        with self._lock:
            self._chunks.clear()
            self._choose(voice.language)
            words_per_minute = int(NORMAL_WORDS_PER_MINUTE * min(max(voice.speed, 50.0), 200.0) / 100)
            self._library.espeak_SetParameter(_PARAMETER_RATE, words_per_minute, 0)
            data = text.replace("\0", " ").encode()
            flags = _CHARS_UTF8 | (_SSML if is_ssml else 0)
            self._library.espeak_Synth(data, len(data) + 1, 0, _POSITION_IS_CHARACTER, 0, flags, None, None)
            self._library.espeak_Synchronize()
            spoken: Samples = np.frombuffer(b"".join(self._chunks), np.int16)
        if voice.gain == 1.0:
            return spoken
        louder: Samples = np.clip(spoken * voice.gain, -32768, 32767).astype(np.int16)
        return louder

    def _choose(self, language: str) -> None:
        code = language.lower()
        for name in (code, code.partition("-")[0], "en-us"):
            if self._library.espeak_SetVoiceByName(name.encode()) == 0:
                return


_espeak: _Espeak | None = None
_is_absent = False
_loading = threading.Lock()


def _load() -> _Espeak | None:
    global _espeak, _is_absent
    with _loading:
        if _espeak is None and not _is_absent:
            try:
                _espeak = _Espeak()
            except (ImportError, OSError, RuntimeError) as error:
                _is_absent = True
                log.warning("Videos are silent, since espeak-ng cannot be loaded: %s", error)
        return _espeak


def speak(text: str, voice: Voice, *, is_ssml: bool = False) -> Samples:
    """Speak `text`; without espeak-ng that is silence, said once in the log.

    :param text: plain text, or an SSML document
    :param voice: how it is spoken
    :param is_ssml: whether `text` is SSML
    :return: mono samples at `SAMPLE_RATE`; empty for silence
    """
    if not text.strip():
        return SILENCE
    espeak = _load()
    return espeak.speak(text, is_ssml, voice) if espeak else SILENCE
