"""The espeak-ng library: one text to samples and to the times of its words.

Every text gets a library as freshly loaded, since espeak-ng keeps its noise and its phases from one text to the
next: only so the same storyboard gives the same film. Loading takes half a millisecond.
"""

from __future__ import annotations

import _ctypes
import ctypes
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .samples import SAMPLE_RATE

NORMAL_PITCH = 50
"""Of 0 to 100."""

_SYNCHRONOUS = 2
_BUFFER_MS = 200
_DO_NOT_EXIT_ON_ERROR = 0x8000
_POSITION_IS_CHARACTER = 1
_CHARS_UTF8 = 0x01
_SSML = 0x10
_PARAMETER_RATE = 1
_PARAMETER_PITCH = 3
_LIST_ENDS = 0
_WORD_BEGINS = 1
_GO_ON, _STOP = 0, 1
_FALLBACK = b"en-us"

# One of them begins a command to espeak-ng.
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")

_one_at_a_time = threading.Lock()


class _EventId(ctypes.Union):
    _fields_ = (("number", ctypes.c_int), ("name", ctypes.c_char_p), ("string", ctypes.c_char * 8))


class _Event(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", _EventId),
    )


class _Voice(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("languages", ctypes.c_char_p),
        ("identifier", ctypes.c_char_p),
        ("gender", ctypes.c_ubyte),
        ("age", ctypes.c_ubyte),
        ("variant", ctypes.c_ubyte),
        ("xx1", ctypes.c_ubyte),
        ("score", ctypes.c_int),
        ("spare", ctypes.c_void_p),
    )


_SYNTH_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(_Event))


def synthesize(
    text: str,
    *,
    is_ssml: bool,
    language: str,
    variant: str,
    words_per_minute: int,
    pitch: int,
    most_seconds: float,
) -> tuple[bytes, list[tuple[int, float]]]:
    """Speak a text.

    :param text: plain text, or an SSML document
    :param is_ssml: whether `text` is SSML
    :param language: language code such as `en-US`; one that espeak-ng does not know is spoken in English
    :param variant: of the voice, such as `f2`; empty for the language's own voice
    :param words_per_minute: 80 to 450
    :param pitch: 0 to 100
    :param most_seconds: synthesis ends soon after so much sound
    :return: 16-bit mono samples at `SAMPLE_RATE`, and for each word its position in `text` and its time in seconds
    :raises OSError: when the library or its data cannot be loaded
    """
    chunks: list[bytes] = []
    words: list[tuple[int, float]] = []
    room = int(most_seconds * SAMPLE_RATE) * 2

    def keep(samples: int | None, count: int, events: Any) -> int:
        nonlocal room
        if samples and count > 0:
            chunks.append(ctypes.string_at(samples, count * 2))
            room -= count * 2
        number = 0
        while events and events[number].type != _LIST_ENDS:
            event = events[number]
            if event.type == _WORD_BEGINS:
                words.append((event.text_position - 1, event.audio_position / 1000))
            number += 1
        return _GO_ON if room > 0 else _STOP

    callback = _SYNTH_CALLBACK(keep)
    with _one_at_a_time, _fresh_library() as library:
        library.espeak_SetSynthCallback(callback)
        _choose_voice(library, language, variant)
        library.espeak_SetParameter(_PARAMETER_RATE, words_per_minute, 0)
        library.espeak_SetParameter(_PARAMETER_PITCH, pitch, 0)
        data = _CONTROL_CHARACTERS.sub(" ", text).encode(errors="replace")
        flags = _CHARS_UTF8 | (_SSML if is_ssml else 0)
        library.espeak_Synth(data, len(data) + 1, 0, _POSITION_IS_CHARACTER, 0, flags, None, None)
    return b"".join(chunks), words


def speaks(language: str) -> bool:
    """Tell whether espeak-ng has a voice for a language.

    :param language: language code such as `en-US`
    :raises OSError: when the library or its data cannot be loaded
    """
    with _one_at_a_time, _fresh_library() as library:
        return _select(library, language)


@contextmanager
def _fresh_library() -> Iterator[Any]:
    import espeakng_loader

    library: Any = ctypes.CDLL(espeakng_loader.get_library_path())
    try:
        data_path = espeakng_loader.get_data_path().encode()
        rate = library.espeak_Initialize(_SYNCHRONOUS, _BUFFER_MS, data_path, _DO_NOT_EXIT_ON_ERROR)
        if rate != SAMPLE_RATE:
            raise OSError(f"espeak-ng did not start with its data: it answered {rate}")
        library.espeak_ng_SetRandSeed(ctypes.c_long(1))
        library.espeak_GetCurrentVoice.restype = ctypes.POINTER(_Voice)
        yield library
        library.espeak_Terminate()
    finally:
        if hasattr(_ctypes, "dlclose"):
            _ctypes.dlclose(library._handle)


def _choose_voice(library: Any, language: str, variant: str) -> None:
    if not _select(library, language):
        library.espeak_SetVoiceByName(_FALLBACK)
    if variant:
        identifier = library.espeak_GetCurrentVoice().contents.identifier
        library.espeak_SetVoiceByName(identifier + f"+{variant}".encode())


def _select(library: Any, language: str) -> bool:
    asked_for = _Voice(languages=language.lower().encode(errors="replace"))
    return bool(library.espeak_SetVoiceByProperties(ctypes.byref(asked_for)) == 0)
