"""The sound of a film: speech, the sound of background videos, and music that makes way for speech.

It is mixed and encoded piece by piece, so that a long film's sound is never held as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
from av.audio.stream import AudioStream
from av.container import OutputContainer
from numpy.typing import NDArray

from ..picture.background_video import BackgroundVideo
from ..sound.limiter import Limiter
from ..sound.music import Music
from ..sound.samples import SAMPLE_RATE, SILENCE, Samples, Sound
from .plan import FRAMES_PER_SECOND, LEAD_IN_SECONDS, FilmPlan, PlannedScene

SOUND_BITS_PER_SECOND = 96_000
WINDOW = SAMPLE_RATE // FRAMES_PER_SECOND
"""Samples of one picture of the film."""

WINDOWS_AT_ONCE = 10 * FRAMES_PER_SECOND

AUDIBLE = 0.01
"""Root mean square of a window above which somebody speaks."""

UNDER_SPEECH = 0.4
"""Part of the music's volume that is left while somebody speaks."""

DUCK_SECONDS, HOLD_SECONDS, RISE_SECONDS = 0.3, 1.2, 1.0
"""The music goes down before speech, stays down between sentences and scenes, and comes up again."""

FADE_IN_SECONDS, FADE_OUT_SECONDS = 0.5, 2.0


class SoundTrack:
    """Mixes a film's sound, scene by scene, into one or more files.

    :param plan: the film
    :param media: address -> background; videos are heard
    :param containers: files that are open for writing
    """

    def __init__(
        self, plan: FilmPlan, media: Mapping[str, object], containers: Sequence[OutputContainer]
    ) -> None:
        self._media = media
        self._streams = [(container, _add_stream(container)) for container in containers]
        self._ducking = DuckedMusic(plan.music, sum(scene.frames for scene in plan.scenes))
        self._limiter = Limiter(WINDOW)
        self._encoded = 0

    def encode(self, scene: PlannedScene) -> Iterator[int]:
        """Encode the sound of the next scene piece by piece, and yield after each how many pictures have theirs.

        A piece is as long as `WINDOWS_AT_ONCE` pictures; the last one may be shorter.

        :param scene: of the plan
        """
        speech, own = _speech_of(scene), _own_sound(scene, self._media)
        gain = scene.speech.voice.gain if scene.speech else 1.0
        self._ducking.expect(_is_spoken(speech if gain else SILENCE, scene.frames))
        for first in range(0, scene.frames, WINDOWS_AT_ONCE):
            windows = min(WINDOWS_AT_ONCE, scene.frames - first)
            start, end = first * WINDOW, (first + windows) * WINDOW
            sound = self._ducking.play(windows)
            for part, loudness in ((speech, gain), (own, 1.0)):
                heard = part[start:end]
                sound[: len(heard)] += heard * np.float32(loudness / 32768)
            self._encode(self._limiter.limit(sound))
            yield first + windows

    def finish(self) -> None:
        """Encode what is left."""
        self._encode(self._limiter.finish())
        for container, stream in self._streams:
            container.mux(stream.encode(None))

    def _encode(self, sound: Sound) -> None:
        samples = np.round(sound * 32767).astype(np.int16).reshape(1, -1)
        for container, stream in self._streams if samples.size else ():
            frame = av.AudioFrame.from_ndarray(samples, "s16", "mono")
            frame.sample_rate = SAMPLE_RATE
            frame.time_base = Fraction(1, SAMPLE_RATE)
            frame.pts = self._encoded
            container.mux(stream.encode(frame))
        self._encoded += samples.size


class DuckedMusic:
    """Music that goes down under speech and fades at the film's ends.

    :param music: None for none
    :param frames: length of the film
    """

    def __init__(self, music: Music | None, frames: int) -> None:
        self._music = music
        self._length = frames * WINDOW
        self._played = 0
        self._hold = 0
        self._level = 1.0
        self._targets: Iterator[float] = iter(())

    def expect(self, spoken: NDArray[np.bool_]) -> None:
        """Learn when there is speech in what is played next.

        :param spoken: for each window of a scene
        """
        ahead = round(DUCK_SECONDS * FRAMES_PER_SECOND)
        soon = np.convolve(spoken[::-1], np.ones(ahead + 1))[: len(spoken)][::-1] > 0
        self._targets = self._lowered(soon)

    def play(self, windows: int) -> Sound:
        """Return the next samples.

        :param windows: how many windows of them
        """
        length = windows * WINDOW
        if self._music is None:
            return np.zeros(length, np.float32)
        start, self._played = self._played, self._played + length
        levels = [self._level]
        for _ in range(windows):
            step = next(self._targets, 1.0) - levels[-1]
            levels.append(
                levels[-1]
                + np.clip(
                    step,
                    -(1 - UNDER_SPEECH) / (DUCK_SECONDS * FRAMES_PER_SECOND),
                    (1 - UNDER_SPEECH) / (RISE_SECONDS * FRAMES_PER_SECOND),
                )
            )
        self._level = levels[-1]
        places = np.arange(length)
        curve = np.interp(places, np.arange(windows + 1) * WINDOW, levels) * self._fade(start + places)
        sound: Sound = self._music.play(start, length) * curve.astype(np.float32)
        return sound

    def _lowered(self, soon: NDArray[np.bool_]) -> Iterator[float]:
        for is_soon in soon:
            self._hold = round(HOLD_SECONDS * FRAMES_PER_SECOND) if is_soon else max(self._hold - 1, 0)
            yield UNDER_SPEECH if self._hold else 1.0

    def _fade(self, places: NDArray[np.int_]) -> NDArray[np.float64]:
        fade_in = min(FADE_IN_SECONDS * SAMPLE_RATE, self._length / 4)
        fade_out = min(FADE_OUT_SECONDS * SAMPLE_RATE, self._length / 4)
        return np.clip(np.minimum(places / fade_in, (self._length - places) / fade_out), 0, 1)


def make_sound_file(
    plan: FilmPlan, media: Mapping[str, object], path: Path, report_progress: Callable[[float], None]
) -> None:
    """Make a film's sound alone, as .m4a.

    :param plan: the film
    :param media: address -> background; videos are heard
    :param path: the file
    :param report_progress: told the part that is done, 0 to 1; may raise to give up
    """
    with open_sound_file(path) as container:
        track = SoundTrack(plan, media, [container])
        total = sum(scene.frames for scene in plan.scenes)
        before = 0
        for scene in plan.scenes:
            for encoded in track.encode(scene):
                report_progress((before + encoded) / total)
            before += scene.frames
        track.finish()


def open_sound_file(path: Path) -> OutputContainer:
    """Open an .m4a for writing.

    :param path: the file
    """
    return av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"})


def _add_stream(container: OutputContainer) -> AudioStream:
    stream = container.add_stream("aac", SAMPLE_RATE, layout="mono")
    stream.bit_rate = SOUND_BITS_PER_SECOND
    return stream


def _speech_of(scene: PlannedScene) -> Samples:
    """Speech, after the silence before it, as long as the scene at most."""
    if scene.speech is None or not scene.speech.seconds:
        return SILENCE
    lead_in = np.zeros(round(LEAD_IN_SECONDS * SAMPLE_RATE), np.int16)
    return np.concatenate([lead_in, scene.speech.samples()])[: scene.frames * WINDOW]


def _own_sound(scene: PlannedScene, media: Mapping[str, object]) -> Samples:
    video = media.get(scene.picture_url) if scene.picture_url else None
    if not isinstance(video, BackgroundVideo):
        return SILENCE
    before = scene.video_seconds_before
    heard = video.sound(scene.video_part, before + scene.seconds)
    return heard[round(before * SAMPLE_RATE) :][: scene.frames * WINDOW]


def _is_spoken(speech: Samples, frames: int) -> NDArray[np.bool_]:
    """Tell for each window of a scene whether there is speech."""
    edges = (*range(0, len(speech), WINDOW), len(speech))
    spoken = np.zeros(frames, np.bool_)
    for number, (start, end) in enumerate(pairwise(edges)):
        window = speech[start:end].astype(np.float32) / 32768
        spoken[number] = np.sqrt(np.mean(window**2)) > AUDIBLE
    return spoken
