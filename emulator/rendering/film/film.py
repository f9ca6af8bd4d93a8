"""The film itself: H.264 and AAC in an .mp4, and the files beside it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import islice
from pathlib import Path

import av
import numpy as np
from av.container import OutputContainer
from av.video.frame import PictureType
from av.video.reformatter import ColorRange, Colorspace
from av.video.stream import VideoStream
from PIL import Image

from ...media_files import AUDIO_FILE, SRT_FILE, TEXT_FILE, THUMBNAIL_FILE, VIDEO_FILE, VTT_FILE
from .media import Media
from .plan import FRAMES_PER_SECOND, FilmPlan
from .scene_painter import ScenePainter
from .soundtrack import WINDOWS_AT_ONCE, SoundTrack, open_sound_file
from .subtitles import as_srt, as_text, as_vtt, cues_of

THUMBNAIL_WIDTH = 640

BT709 = 1
"""The number of the colours of HD video, in the tables for matrix, primaries and transfer alike."""

ReportProgress = Callable[[float], None]


def make_film(plan: FilmPlan, media: Media, folder: Path, report_progress: ReportProgress) -> None:
    """Make the video, its thumbnail, its sound, its subtitles and its text.

    :param plan: what to show
    :param media: address -> picture, video or font; a scene whose background is missing gets a colour
    :param folder: where the files go; exists
    :param report_progress: told the part that is done, 0 to 1, many times a second; may raise to give up
    """
    _make_video(plan, media, folder, report_progress)
    cues = cues_of(plan)
    (folder / SRT_FILE).write_text(as_srt(cues), "utf-8")
    (folder / VTT_FILE).write_text(as_vtt(cues), "utf-8")
    (folder / TEXT_FILE).write_text(as_text(plan), "utf-8")


def save_thumbnail(picture: Image.Image, path: Path) -> None:
    """Save a small .jpg of a scene.

    :param picture: the scene
    :param path: the file
    """
    height = max(round(picture.height * THUMBNAIL_WIDTH / picture.width), 1)
    small = picture.resize((THUMBNAIL_WIDTH, height), Image.Resampling.LANCZOS)
    small.save(path, "JPEG", quality=85, optimize=True)


def _make_video(plan: FilmPlan, media: Media, folder: Path, report_progress: ReportProgress) -> None:
    total = sum(scene.frames for scene in plan.scenes)
    done = 0
    with (
        av.open(str(folder / VIDEO_FILE), "w", options={"movflags": "+faststart"}) as container,
        open_sound_file(folder / AUDIO_FILE) as sound_file,
    ):
        video = _add_video(container, plan)
        sound = SoundTrack(plan, media, [container, sound_file])
        painter = ScenePainter(plan, media)
        shown = None
        for scene in plan.scenes:
            heard = sound.encode(scene)
            for index, picture in enumerate(islice(painter.pictures(scene), scene.frames)):
                if index % WINDOWS_AT_ONCE == 0:
                    next(heard)
                if picture is not shown:
                    shown, frame = picture, _frame(picture)
                if done == 0:
                    save_thumbnail(picture, folder / THUMBNAIL_FILE)
                frame.pts = done
                frame.pict_type = PictureType.I if index == 0 else PictureType.NONE
                container.mux(video.encode(frame))
                done += 1
                report_progress(done / total)
        container.mux(video.encode(None))
        sound.finish()


def _frame(picture: Image.Image) -> av.VideoFrame:
    frame = av.VideoFrame.from_ndarray(np.asarray(picture), "rgb24").reformat(
        format="yuv420p", dst_colorspace=Colorspace.ITU709, dst_color_range=ColorRange.MPEG
    )
    frame.time_base = Fraction(1, FRAMES_PER_SECOND)
    return frame


def _add_video(container: OutputContainer, plan: FilmPlan) -> VideoStream:
    options = {"preset": "veryfast", "tune": "stillimage", "crf": "20"}
    stream = container.add_stream("libx264", FRAMES_PER_SECOND, options=options)
    stream.width, stream.height, stream.pix_fmt = plan.width, plan.height, "yuv420p"
    codec = stream.codec_context
    # One thread a film keeps several films side by side fair, and a still picture needs no more.
    codec.thread_count = 1
    codec.colorspace, codec.color_range = BT709, ColorRange.MPEG
    codec.color_primaries, codec.color_trc = BT709, BT709
    return stream
