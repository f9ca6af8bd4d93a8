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

from ..sound.samples import SAMPLE_RATE, SILENCE, Samples

log = logging.getLogger(__name__)

MAX_PIXELS = 9_000_000
"""Of one picture: a little more than 4K."""

_OPTIONS = {"format_whitelist": "mov,matroska,avi,mpegts,mpeg,ogg,flv,asf", "protocol_whitelist": "none"}
"""Only files that hold all they show: a playlist or a session description would make FFmpeg open other files and
connections."""

_TIME = re.compile(r"(?:^|&)t=(?:npt:)?(\d{1,6}(?:\.\d*)?)?(?:,(\d{1,6}(?:\.\d*)?))?(?:&|$)")


class UnusableVideoError(Exception):
    """A background video that cannot be used; the message says why."""


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
            if stream is None or stream.width * stream.height > MAX_PIXELS:
                size = (
                    f"{stream.width} x {stream.height} pixels are too many"
                    if stream
                    else "it has no pictures"
                )
                raise UnusableVideoError(size)
            self._begins = float((stream.start_time or 0) * (stream.time_base or 1))
            self._seconds = _end_of(container, stream) - self._begins
        self.poster()

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
        lasts = self._lasts(part)
        if lasts <= 0:
            return part.start
        return part.start + (passed % lasts if part.loops else min(passed, lasts))

    def pictures(self, part: VideoPart, frames_per_second: int) -> Iterator[av.VideoFrame]:
        """Give the picture at each moment, without end; where nothing changes, the same object.

        :param part: which part of the video
        :param frames_per_second: how many pictures a second
        """
        until = part.end if part.end is not None else float("inf")
        lasts = self._lasts(part)
        round_starts = 0.0
        given = 0
        while True:
            shown: av.VideoFrame | None = None
            for time, picture in self._decoded(part.start):
                if time >= until and shown is not None:
                    break
                while shown is not None and given / frames_per_second < round_starts + time - part.start:
                    yield shown
                    given += 1
                shown = picture
            if shown is None:
                raise UnusableVideoError("its pictures cannot be read")
            if not part.loops or lasts <= 1 / frames_per_second:
                yield from repeat(shown)
            # Rounds are exactly as long as those of the sound, and the last picture is shown until its end.
            round_starts += lasts
            while given / frames_per_second < round_starts:
                yield shown
                given += 1

    def sound(self, part: VideoPart, seconds: float) -> Samples:
        """Return its sound as mono samples, as long as asked for or shorter; nothing when it is muted or has none.

        :param part: which part of the video
        :param seconds: how much is needed
        """
        if part.muted:
            return SILENCE
        lasts = self._lasts(part)
        if not part.loops or not 0 < lasts < seconds:
            wanted = seconds if part.end is None else min(seconds, part.end - part.start)
            return self._sound(part.start, round(wanted * SAMPLE_RATE))
        heard = self._sound(part.start, round(lasts * SAMPLE_RATE))
        if not len(heard):
            return SILENCE
        # A sound that ends before the pictures waits for them.
        one_round = np.pad(heard, (0, round(lasts * SAMPLE_RATE) - len(heard)))
        return np.resize(one_round, round(seconds * SAMPLE_RATE))

    def _lasts(self, part: VideoPart) -> float:
        """Seconds of a part that are there; none where it begins after the video's end."""
        return min(self._seconds if part.end is None else part.end, self._seconds) - part.start

    def _decoded(self, start: float) -> Iterator[tuple[float, av.VideoFrame]]:
        # Some files can only be read from their beginning, which is seen in where a search in them ends.
        for searches in (True, False) if start > 0 else (False,):
            is_found = False
            with self._open() as container:
                try:
                    if searches:
                        _seek(container, start + self._begins)
                    for frame in container.decode(container.streams.video[0]):
                        if frame.width * frame.height > MAX_PIXELS:
                            log.warning("A background video has pictures larger than it says")
                            break
                        if frame.time is None:
                            continue
                        if searches and not is_found and frame.time - self._begins > start:
                            break
                        is_found = True
                        yield frame.time - self._begins, frame
                except av.FFmpegError as error:
                    log.warning("A background video is broken from some moment on: %s", error)
            if is_found:
                return

    def _sound(self, start: float, wanted: int) -> Samples:
        with self._open() as container:
            if not container.streams.audio:
                return SILENCE
            resampler = av.AudioResampler("s16", "mono", SAMPLE_RATE)
            chunks: list[Samples] = []
            heard = 0
            try:
                if start > 0:
                    _seek(container, start + self._begins)
                for frame in container.decode(container.streams.audio[0]):
                    begins = (frame.time or 0.0) - self._begins
                    late = round((start - begins) * SAMPLE_RATE) if not chunks else 0
                    samples = np.concatenate(
                        [r.to_ndarray().ravel() for r in resampler.resample(frame)] or [SILENCE]
                    )
                    if late < len(samples):
                        # A sound that begins after the pictures is heard as late as it was.
                        before = np.zeros(min(max(-late, 0), wanted), np.int16)
                        chunks.append(np.concatenate([before, samples[max(late, 0) :]]))
                        heard += len(chunks[-1])
                    if heard >= wanted:
                        break
            except av.FFmpegError as error:
                log.warning("The sound of a background video is broken from some moment on: %s", error)
        return np.concatenate(chunks)[:wanted] if chunks else SILENCE

    def _open(self) -> av.container.InputContainer:
        try:
            return av.open(io.BytesIO(self._content), "r", options=_OPTIONS)
        except av.FFmpegError as error:
            raise UnusableVideoError(
                f"it cannot be read as .mp4, .mov, .webm, .mkv, .avi or similar: {error.strerror}"
            ) from error


def as_picture(frame: av.VideoFrame) -> Image.Image:
    """A video's frame as a picture, upright as players show it.

    :param frame: as decoded
    """
    picture = Image.fromarray(frame.to_ndarray(format="rgb24"))
    return picture.rotate(round(frame.rotation / 90) * 90, expand=True)


def _end_of(container: av.container.InputContainer, stream: av.VideoStream) -> float:
    """When the last picture ends, in seconds: counted, since not every file says it, or rightly."""
    ends = (
        packet.pts + (packet.duration or 0) for packet in container.demux(stream) if packet.pts is not None
    )
    return float(max(ends, default=0) * (stream.time_base or 1))


def _seek(container: av.container.InputContainer, seconds: float) -> None:
    container.seek(int(seconds * 1_000_000), backward=True)
