"""The film itself: H.264 and AAC in an .mp4, and the files beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import islice, repeat
from pathlib import Path

import av
import numpy as np
from av.audio.stream import AudioStream
from av.container import OutputContainer
from av.video.frame import PictureType
from av.video.reformatter import ColorRange, Colorspace
from av.video.stream import VideoStream
from numpy.typing import NDArray
from PIL import Image, ImageOps

from ..jobs.media_files import AUDIO_FILE, SRT_FILE, TEXT_FILE, THUMBNAIL_FILE, VIDEO_FILE, VTT_FILE
from .background_picture import Background
from .background_video import BackgroundVideo, as_picture
from .film_plan import FRAMES_PER_SECOND, LEAD_IN_SECONDS, FilmPlan, PlannedScene
from .scene_picture import draw_scene
from .speech import SAMPLE_RATE, Samples
from .subtitles import as_srt, as_text, as_vtt, cues_of

THUMBNAIL_WIDTH = 640
SOUND_RATE = 44_100
SOUND_BITS_PER_SECOND = 96_000
SAMPLES_PER_FRAME = SAMPLE_RATE // FRAMES_PER_SECOND

BT709 = 1
"""The number of the colours of HD video, in the tables for matrix, primaries and transfer alike."""

ReportProgress = Callable[[float], None]


def make_film(
    plan: FilmPlan, pictures: Mapping[str, Background], folder: Path, report_progress: ReportProgress
) -> None:
    """Make the video, its thumbnail, its sound, its subtitles and its text.

    :param plan: what to show
    :param pictures: address -> background picture or video; a scene whose background is absent stands on a colour
    :param folder: where the files go; exists
    :param report_progress: told the part that is done, 0 to 1, many times a second; may raise to give up
    """
    _make_video(plan, pictures, folder, report_progress)
    _make_sound_file(plan, pictures, folder / AUDIO_FILE)
    cues = cues_of(plan)
    (folder / SRT_FILE).write_text(as_srt(cues), "utf-8")
    (folder / VTT_FILE).write_text(as_vtt(cues), "utf-8")
    (folder / TEXT_FILE).write_text(as_text(plan), "utf-8")


def draw_planned_scene(
    plan: FilmPlan, scene: PlannedScene, pictures: Mapping[str, Background]
) -> Image.Image:
    """Draw one scene of a film.

    :param plan: gives the size
    :param scene: one of the plan's
    :param pictures: address -> background picture or video
    """
    background = _background(scene, pictures)
    if isinstance(background, BackgroundVideo):
        background = background.poster(scene.video_part.start)
    return draw_scene(scene.text, scene.style, plan.width, plan.height, scene.shades, background)


def save_thumbnail(picture: Image.Image, path: Path) -> None:
    """Save a small .jpg of a scene.

    :param picture: the scene
    :param path: the file
    """
    height = max(round(picture.height * THUMBNAIL_WIDTH / picture.width), 1)
    small = picture.resize((THUMBNAIL_WIDTH, height), Image.Resampling.LANCZOS)
    small.save(path, "JPEG", quality=85, optimize=True)


def _make_video(
    plan: FilmPlan, pictures: Mapping[str, Background], folder: Path, report_progress: ReportProgress
) -> None:
    total = sum(scene.frames for scene in plan.scenes)
    done = 0
    with av.open(str(folder / VIDEO_FILE), "w", options={"movflags": "+faststart"}) as container:
        video = _add_video(container, plan)
        sound = _add_sound(container)
        for number, scene in enumerate(plan.scenes):
            picture = draw_planned_scene(plan, scene, pictures)
            if number == 0:
                save_thumbnail(picture, folder / THUMBNAIL_FILE)
            _encode_sound(container, sound, _sound_of(scene, pictures), done)
            background = _background(scene, pictures)
            frames = (
                _moving(plan, scene, background)
                if isinstance(background, BackgroundVideo)
                else repeat(_frame(np.asarray(picture)))
            )
            for index, frame in enumerate(islice(frames, scene.frames)):
                frame.pts = done
                frame.pict_type = PictureType.I if index == 0 else PictureType.NONE
                container.mux(video.encode(frame))
                done += 1
                report_progress(done / total)
        container.mux(video.encode(None))
        container.mux(sound.encode(None))


def _background(scene: PlannedScene, pictures: Mapping[str, Background]) -> Background | None:
    return pictures.get(scene.picture_url) if scene.picture_url else None


def _moving(plan: FilmPlan, scene: PlannedScene, video: BackgroundVideo) -> Iterator[av.VideoFrame]:
    """The frames of a scene over a video, without end."""
    size = (plan.width, plan.height)
    # What stands in front shows on black what it adds, and on white besides what it lets through.
    on_black, on_white = (
        np.asarray(draw_scene(scene.text, scene.style, *size, scene.shades, Image.new("RGB", size, colour)))
        for colour in ("black", "white")
    )
    lets_through = (on_white.astype(np.float32) - on_black) / 255
    before, frame = None, _frame(on_black)
    for picture in video.pictures(scene.video_part, FRAMES_PER_SECOND):
        if picture is not before:
            behind = ImageOps.fit(as_picture(picture), size, Image.Resampling.BILINEAR)
            frame = _frame((np.asarray(behind) * lets_through + on_black + 0.5).clip(0, 255).astype(np.uint8))
            before = picture
        yield frame


def _frame(picture: NDArray[np.uint8]) -> av.VideoFrame:
    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), "rgb24").reformat(
        format="yuv420p", dst_colorspace=Colorspace.ITU709, dst_color_range=ColorRange.MPEG
    )
    frame.time_base = Fraction(1, FRAMES_PER_SECOND)
    return frame


def _make_sound_file(plan: FilmPlan, pictures: Mapping[str, Background], path: Path) -> None:
    with av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"}) as container:
        sound = _add_sound(container)
        done = 0
        for scene in plan.scenes:
            _encode_sound(container, sound, _sound_of(scene, pictures), done)
            done += scene.frames
        container.mux(sound.encode(None))


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


def _add_sound(container: OutputContainer) -> AudioStream:
    stream = container.add_stream("aac", SOUND_RATE, layout="mono")
    stream.bit_rate = SOUND_BITS_PER_SECOND
    return stream


def _sound_of(scene: PlannedScene, pictures: Mapping[str, Background]) -> Samples:
    """The scene's speech and the sound of its video, with silence up to the scene's length."""
    samples = np.zeros(scene.frames * SAMPLES_PER_FRAME, np.int32)
    start = round(LEAD_IN_SECONDS * SAMPLE_RATE)
    room = samples[start : start + len(scene.speech)]
    room += scene.speech[: len(room)]
    background = _background(scene, pictures)
    if isinstance(background, BackgroundVideo):
        heard = background.sound(scene.video_part, scene.seconds)[: len(samples)]
        samples[: len(heard)] += heard
    return samples.clip(-32768, 32767).astype(np.int16)


def _encode_sound(
    container: OutputContainer, stream: AudioStream, samples: Samples, frames_before: int
) -> None:
    frame = av.AudioFrame.from_ndarray(samples.reshape(1, -1), "s16", "mono")
    frame.sample_rate = SAMPLE_RATE
    frame.time_base = Fraction(1, SAMPLE_RATE)
    frame.pts = frames_before * SAMPLES_PER_FRAME
    container.mux(stream.encode(frame))
