"""A video behind a scene: its pictures and its sound, from a moment on."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat

import av
import numpy as np
from PIL import Image

from .samples import SAMPLE_RATE, SILENCE, Samples

log = logging.getLogger(__name__)

MOST_PIXELS = 9_000_000
"""Of one picture: a little more than 4K."""

_TIME = re.compile(r"(?:^|&)t=(?:npt:)?(\d{1,6}(?:\.\d*)?)?(?:,(\d{1,6}(?:\.\d*)?))?(?:&|$)")


class UnusableVideoError(Exception):
    """A background video that cannot be had; the message says why."""


@dataclass(frozen=True)
class VideoPart:
    """Which part of a background video is shown, and how.

    :param start: seconds from the video's start
    :param end: seconds from there; None for the video's end
    :param loops: whether it starts again at its end; otherwise its last picture stays
    :param muted: whether its sound is left out
    """

    start: float = 0.0
    end: float | None = None
    loops: bool = False
    muted: bool = False


WHOLE_VIDEO = VideoPart()


def part_of(fragment: str, *, loops: bool, muted: bool) -> VideoPart:
    """Read a media fragment such as `t=12.5,15`; one that says no time means the whole video.

    :param fragment: of the video's address, after the `#`
    :param loops: as of `VideoPart`
    :param muted: as of `VideoPart`
    """
    found = _TIME.search(fragment)
    start, end = (float(text) if text else None for text in (found.groups() if found else (None, None)))
    if end is not None and end <= (start or 0.0):
        end = None
    return VideoPart(start or 0.0, end, loops, muted)


class BackgroundVideo:
    """A video file in memory.

    :param content: the file
    :raises UnusableVideoError: when it holds no pictures that can be shown
    """

    def __init__(self, content: bytes) -> None:
        self._content = content
        with self._open() as container:
            stream = next(iter(container.streams.video), None)
            if stream is None or stream.width * stream.height > MOST_PIXELS:
                size = (
                    f"{stream.width} x {stream.height} pixels are too many"
                    if stream
                    else "it has no pictures"
                )
                raise UnusableVideoError(size)
            length = (stream.duration or 0) * (stream.time_base or 0) or (container.duration or 0) / 1_000_000
            self._seconds = float(length)
        try:
            self.poster()
        except (av.FFmpegError, StopIteration) as error:
            raise UnusableVideoError(f"its pictures cannot be read: {error}") from error

    def poster(self, start: float = 0.0) -> Image.Image:
        """Return the picture at a moment, or the last one before the end.

        :param start: seconds from the video's start
        """
        return as_picture(next(self.pictures(VideoPart(start), 1)))

    def moment(self, part: VideoPart, passed: float) -> float:
        """Say which moment of the video is shown, in seconds from its start.

        :param part: which part of the video
        :param passed: seconds since its beginning was shown
        """
        lasts = (part.end if part.end is not None else self._seconds) - part.start
        if lasts <= 0:
            return part.start
        return part.start + (passed % lasts if part.loops else min(passed, lasts))

    def pictures(self, part: VideoPart, frames_per_second: int) -> Iterator[av.VideoFrame]:
        """Give the picture at each moment, without end; where nothing changes, the same object.

        :param part: which part of the video
        :param frames_per_second: how many pictures a second
        """
        until = part.end if part.end is not None else float("inf")
        while True:
            shown: av.VideoFrame | None = None
            given = 0
            for time, picture in self._decoded(part.start):
                if time >= until and shown is not None:
                    break
                while shown is not None and part.start + given / frames_per_second < time:
                    yield shown
                    given += 1
                shown = picture
            if shown is None:
                # Nothing can be read there: the video's beginning, which was read before.
                part = VideoPart(loops=part.loops)
                continue
            if not part.loops:
                yield from repeat(shown)
            yield shown

    def sound(self, part: VideoPart, seconds: float) -> Samples:
        """Return its sound as mono samples, as long as asked for or shorter; nothing when it is muted or has none.

        :param part: which part of the video
        :param seconds: how much is needed
        """
        lasts = min(seconds, part.end - part.start) if part.end is not None else seconds
        heard = SILENCE if part.muted else self._sound(part.start, round(lasts * SAMPLE_RATE))
        wanted = round(seconds * SAMPLE_RATE)
        return np.resize(heard, wanted) if part.loops and 0 < len(heard) < wanted else heard

    def _decoded(self, start: float) -> Iterator[tuple[float, av.VideoFrame]]:
        with self._open() as container:
            stream = container.streams.video[0]
            begins = float((stream.start_time or 0) * (stream.time_base or 1))
            try:
                _seek(container, start + begins)
                for frame in container.decode(stream):
                    if frame.time is not None:
                        yield frame.time - begins, frame
            except av.FFmpegError as error:
                log.warning("A background video is broken from some moment on: %s", error)

    def _sound(self, start: float, wanted: int) -> Samples:
        with self._open() as container:
            if not container.streams.audio:
                return SILENCE
            stream = container.streams.audio[0]
            begins = float((stream.start_time or 0) * (stream.time_base or 1))
            resampler = av.AudioResampler("s16", "mono", SAMPLE_RATE)
            chunks: list[Samples] = []
            heard = 0
            try:
                _seek(container, start + begins)
                for frame in container.decode(stream):
                    late = round((start - (frame.time or 0.0) + begins) * SAMPLE_RATE) if not chunks else 0
                    samples = np.concatenate(
                        [r.to_ndarray().ravel() for r in resampler.resample(frame)] or [SILENCE]
                    )
                    if late < len(samples):
                        chunks.append(samples[max(late, 0) :])
                        heard += len(chunks[-1])
                    if heard >= wanted:
                        break
            except av.FFmpegError as error:
                log.warning("The sound of a background video is broken from some moment on: %s", error)
        return np.concatenate(chunks)[:wanted] if chunks else SILENCE

    def _open(self) -> av.container.InputContainer:
        try:
            return av.open(io.BytesIO(self._content), "r")
        except av.FFmpegError as error:
            raise UnusableVideoError(f"it cannot be read: {error}") from error


def as_picture(frame: av.VideoFrame) -> Image.Image:
    """A video's frame as a picture.

    :param frame: as decoded
    """
    return Image.fromarray(frame.to_ndarray(format="rgb24"))


def _seek(container: av.container.InputContainer, seconds: float) -> None:
    if seconds > 0:
        container.seek(int(seconds * 1_000_000), backward=True)
