"""A background video is shown and heard from its moment on; a broken one is a colour."""

import io
import struct
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from PIL import Image

from airflow_video_creation.emulator.contract.storyboard import StoryboardRequest
from airflow_video_creation.emulator.rendering.film.film import make_film
from airflow_video_creation.emulator.rendering.film.media import MediaSources, fetch_media
from airflow_video_creation.emulator.rendering.film.plan import plan_film
from airflow_video_creation.emulator.rendering.picture.background_video import (
    BackgroundVideo,
    UnusableVideoError,
    VideoPart,
    as_picture,
    part_of,
)
from airflow_video_creation.emulator.rendering.sound.samples import SAMPLE_RATE

URL = "https://example.com/a.mp4"
RATE = 22_050


@pytest.fixture(scope="module")
def content() -> bytes:
    """Four seconds: red, green, blue, white, one each; the third has a tone."""
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as container:
        video = container.add_stream("libx264", 10, options={"g": "20"})
        video.width, video.height, video.pix_fmt = 32, 18, "yuv420p"
        audio = container.add_stream("aac", RATE, layout="mono")
        tone = np.zeros(4 * RATE, np.int16)
        tone[2 * RATE : 3 * RATE] = 9000 * np.sin(np.arange(RATE) / 8)
        sound = av.AudioFrame.from_ndarray(tone.reshape(1, -1), "s16", "mono")
        sound.sample_rate, sound.pts, sound.time_base = RATE, 0, Fraction(1, RATE)
        container.mux(audio.encode(sound))
        for index in range(40):
            colour = ("red", "lime", "blue", "white")[index // 10]
            frame = av.VideoFrame.from_image(Image.new("RGB", (32, 18), colour))
            frame.pts, frame.time_base = index, Fraction(1, 10)
            container.mux(video.encode(frame))
        container.mux(video.encode(None))
        container.mux(audio.encode(None))
    return file.getvalue()


def film(tmp_path: Path, content: bytes, *scenes: dict[str, Any]) -> tuple[list[Any], Any]:
    """The colour of each frame's middle, and the sound."""
    about = {"videoName": "v", "videoWidth": "64", "videoHeight": "36", "scenes": list(scenes)}
    plan = plan_film(StoryboardRequest.model_validate(about))
    make_film(plan, {URL: BackgroundVideo(content)}, tmp_path, lambda _part: None)
    with av.open(str(tmp_path / "video.mp4")) as made:
        colours = [frame.to_ndarray(format="rgb24")[10, 32].astype(int) for frame in made.decode(video=0)]
    with av.open(str(tmp_path / "video.mp4")) as made:
        sound = np.concatenate([frame.to_ndarray().ravel() for frame in made.decode(audio=0)])
    return [name_of(colour) for colour in colours], sound


def name_of(colour: Any) -> str:
    return {(1, 0, 0): "red", (0, 1, 0): "lime", (0, 0, 1): "blue", (1, 1, 1): "white"}.get(
        tuple(colour > 128), "black"
    )


def scene(fragment: str, **fields: Any) -> dict[str, Any]:
    video = {"backgroundUri": f"{URL}{fragment}", "backgroundType": "video", "voiceOver": False}
    return {**video, "minimumDuration": 2, **fields}


def test_each_scene_shows_its_own_part_under_its_text(tmp_path: Path, content: bytes) -> None:
    style = {"verticalAlignment": "bottom"}
    colours, _ = film(tmp_path, content, scene("#t=2,4"), scene("#t=0.5,2.5", text="Red", textStyles=style))
    shown = [colours[index] for index in (5, 20, 30, 45, 55, 75, 98)]
    assert shown == ["blue", "blue", "white", "white", "red", "lime", "blue"]


@pytest.mark.parametrize(
    ("fields", "shown"),
    [({}, ["white", "white"]), ({"loopBackgroundVideo": True}, ["blue", "white"])],
    ids=["its-last-picture-stays", "it-loops"],
)
def test_at_its_end(tmp_path: Path, content: bytes, fields: dict[str, Any], shown: list[str]) -> None:
    colours, _ = film(tmp_path, content, scene("#t=2", minimumDuration=4, **fields))
    assert len(colours) == 100
    assert [colours[60], colours[85]] == shown


def test_it_goes_on_through_the_parts_of_a_split_scene(tmp_path: Path, content: bytes) -> None:
    one = scene("", text="One. Two.", splitTextOnPeriod=True)
    colours, sound = film(tmp_path, content, one)
    assert [colours[index] for index in (5, 30, 55, 95)] == ["red", "lime", "blue", "white"]
    loud = [
        float(np.abs(sound[int((s + 0.2) * SAMPLE_RATE) : int((s + 0.8) * SAMPLE_RATE)]).mean()) > 0.1
        for s in range(4)
    ]
    assert loud == [False, False, True, False]


def test_it_loops_on_through_the_parts_and_then_begins_again(tmp_path: Path, content: bytes) -> None:
    looped = scene("#t=0,3", text="One. Two.", splitTextOnPeriod=True, loopBackgroundVideo=True)
    colours, _ = film(tmp_path, content, looped, scene("#t=1"))
    assert [colours[index] for index in (5, 55, 80, 105)] == ["red", "blue", "red", "lime"]


@pytest.mark.parametrize(
    ("part", "passed", "moment"),
    [
        (VideoPart(1, 3), 1, 2),
        (VideoPart(1, 3), 5, 3),
        (VideoPart(1, 3, loops=True), 5, 2),
        (VideoPart(1), 60, 4),
        (VideoPart(9), 1, 9),
    ],
)
def test_which_moment_is_shown(content: bytes, part: VideoPart, passed: float, moment: float) -> None:
    assert BackgroundVideo(content).moment(part, passed) == pytest.approx(moment, abs=0.1)


@pytest.mark.parametrize(("muted", "is_heard"), [(False, True), (True, False)])
def test_its_sound_is_heard_in_time_unless_muted(
    tmp_path: Path, content: bytes, muted: bool, is_heard: bool
) -> None:
    _, sound = film(tmp_path, content, scene("#t=1,4", minimumDuration=3, muteBackgroundVideo=muted))
    parts = [
        float(np.abs(sound[int((s + 0.2) * SAMPLE_RATE) : int((s + 0.8) * SAMPLE_RATE)]).mean())
        for s in range(3)
    ]
    assert (parts[1] > 0.1) is is_heard
    assert max(parts[0], parts[2]) < 0.01


@pytest.mark.parametrize(
    ("fragment", "part"),
    [
        ("t=12.5,15", (12.5, 15)),
        ("t=npt:3", (3, None)),
        ("t=,20", (0, 20)),
        ("track=a&t=1,2", (1, 2)),
        ("t=5,4", (5, None)),
        ("chapter", (0, None)),
        ("t=-1", (0, None)),
        ("", (0, None)),
    ],
)
def test_a_media_fragment_names_the_part(fragment: str, part: tuple[float, float | None]) -> None:
    assert part_of(fragment, loops=False, muted=True) == VideoPart(*part, loops=False, muted=True)


def test_a_part_after_the_end_shows_the_last_picture(content: bytes) -> None:
    assert name_of(np.asarray(BackgroundVideo(content).poster(60))[9, 16]) == "white"


async def test_a_video_is_fetched_once_for_all_its_parts(receiver: Any, content: bytes) -> None:
    receiver.files = {"/a.mp4": ("video/mp4", content)}
    fetched = await fetch_media(
        [f"{receiver.url}/a.mp4"] * 2, [], [], MediaSources(allow_private_networks=True)
    )
    assert isinstance(fetched[f"{receiver.url}/a.mp4"], BackgroundVideo)


async def test_half_a_video_is_shown_as_far_as_it_goes_or_not_at_all(receiver: Any, content: bytes) -> None:
    receiver.files = {"/a.mp4": ("video/mp4", content[: len(content) // 2])}
    assert (
        await fetch_media([f"{receiver.url}/a.mp4"], [], [], MediaSources(allow_private_networks=True)) == {}
    )


def clip(*colours: str, kind: str = "mp4", codec: str = "libx264") -> bytes:
    """One picture a second, with a tone in the first half second."""
    file = io.BytesIO()
    with av.open(file, "w", format=kind) as container:
        video = container.add_stream(codec, 1)
        video.width, video.height, video.pix_fmt = 64, 36, "yuv420p"
        audio = container.add_stream("aac", RATE, layout="mono") if kind != "h264" else None
        for colour in colours:
            container.mux(video.encode(av.VideoFrame.from_image(Image.new("RGB", (64, 36), colour))))
        container.mux(video.encode(None))
        if audio:
            tone = np.round(9000 * np.sin(np.arange(RATE // 2) / 8)).astype(np.int16)
            sound = av.AudioFrame.from_ndarray(tone.reshape(1, -1), "s16", "mono")
            sound.sample_rate, sound.pts = RATE, 0
            container.mux(audio.encode(sound))
            container.mux(audio.encode(None))
    return file.getvalue()


def shown(video: BackgroundVideo, part: VideoPart, pictures: int) -> list[str]:
    given = islice(video.pictures(part, 4), pictures)
    return [name_of(np.asarray(as_picture(frame))[9, 16].astype(int)) for frame in given]


def test_each_round_of_a_loop_is_as_long_as_the_video() -> None:
    video = BackgroundVideo(clip("red", "blue"))
    one_round = ["red"] * 4 + ["blue"] * 4
    assert shown(video, VideoPart(loops=True), 20) == [*one_round, *one_round, *one_round[:4]]


def test_a_looped_sound_stays_with_its_pictures() -> None:
    sound = BackgroundVideo(clip("red", "blue")).sound(VideoPart(loops=True), 6)
    halves = np.abs(sound.astype(float)).reshape(12, -1).mean(axis=1) > 1000
    assert [number for number, is_loud in enumerate(halves) if is_loud] == [0, 4, 8]


@pytest.mark.parametrize("part", [VideoPart(), VideoPart(1)], ids=["whole", "from-a-moment"])
def test_a_stream_that_cannot_be_searched_is_shown(part: VideoPart) -> None:
    video = BackgroundVideo(clip("red", "lime", "blue", kind="mpegts"))
    assert shown(video, part, 4) == ["red" if part.start == 0 else "lime"] * 4


def test_a_video_that_was_filmed_upright_is_shown_upright() -> None:
    content = bytearray(clip("red"))
    matrix = content.find(b"tkhd") + 44
    content[matrix : matrix + 36] = struct.pack(">9i", 0, 1 << 16, 0, -1 << 16, 0, 0, 36 << 16, 0, 1 << 30)
    assert BackgroundVideo(bytes(content)).poster().size == (36, 64)


@pytest.mark.parametrize(
    "content",
    [
        clip("red", kind="h264"),
        b"v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n"
        b"a=rtpmap:96 H264/90000\n",
    ],
    ids=["without-times", "a-description-of-a-stream"],
)
def test_what_is_no_whole_video_is_refused(content: bytes) -> None:
    with pytest.raises(UnusableVideoError):
        BackgroundVideo(content)


def test_a_playlist_opens_no_other_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret.ts").write_bytes(clip("red", "lime", kind="mpegts"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnusableVideoError):
        BackgroundVideo(b"ffconcat version 1.0\nfile 'secret.ts'\n")


def test_a_video_whose_pictures_are_larger_than_it_says_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    content = bytearray(clip("red"))
    size = content.find(b"avc1", content.find(b"stsd")) + 28
    content[size : size + 4] = struct.pack(">HH", 16, 16)
    monkeypatch.setattr("airflow_video_creation.emulator.rendering.picture.background_video.MAX_PIXELS", 1000)
    with pytest.raises(UnusableVideoError):
        BackgroundVideo(bytes(content))


def test_a_video_whose_pictures_are_lost_is_refused() -> None:
    content = bytearray(clip("red", "blue"))
    data = content.find(b"mdat") + 4
    length = struct.unpack(">I", content[data - 8 : data - 4])[0] - 8
    content[data : data + length] = bytes(length)
    with pytest.raises(UnusableVideoError):
        BackgroundVideo(bytes(content))
