"""Any valid storyboard is rendered: no crash, the right size, and each scene at least as long as asked for."""

import io
import tempfile
from pathlib import Path
from typing import Any

import av
import fontpkg
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from airflow_video_creation.emulator.contract.storyboard import StoryboardRequest
from airflow_video_creation.emulator.rendering.film.drawing_notes import notes_on_drawing
from airflow_video_creation.emulator.rendering.film.film import make_film
from airflow_video_creation.emulator.rendering.film.plan import plan_film
from airflow_video_creation.emulator.rendering.picture.background_video import BackgroundVideo
from airflow_video_creation.emulator.rendering.text.typeface import Typeface

PICTURE, VIDEO, FONT, LOST = (f"https://example.com/{name}" for name in ("a.png", "a.mp4", "a.ttf", "lost"))


def _video() -> bytes:
    """One second in two colours, without sound."""
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as container:
        stream = container.add_stream("libx264", 4)
        stream.width, stream.height, stream.pix_fmt = 32, 18, "yuv420p"
        for index in range(4):
            colours = np.full((18, 32, 3), 60 * index, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(colours, "rgb24")))
        container.mux(stream.encode(None))
    return file.getvalue()


MEDIA = {
    PICTURE: Image.new("RGBA", (7, 30), (10, 200, 30, 128)),
    VIDEO: BackgroundVideo(_video()),
    FONT: Typeface(fontpkg.path("Noto Serif").read_bytes()),
}

COLOURS = st.sampled_from(["#fff", "#102030", "#10203040", "rgba(300,2,3,.2)", "rgba(0,0,0,0)"])
STYLE: dict[str, st.SearchStrategy[Any]] = {
    "fontUrl": st.sampled_from([FONT, LOST]),
    "fontFamily": st.sampled_from(["Arial", "Courier New", "serif", "\x00", "a,b"]),
    "fontWeight": st.sampled_from(["normal", "bold", "1", "900", "Extra Bold", "?"]),
    "textColor": COLOURS,
    "fontSize": st.integers(1, 1000),
    "keywordColor": COLOURS,
    "textBackgroundColor": COLOURS,
    "textShadowColor": st.sampled_from(["#000000", "#ff000080"]),
    "verticalAlignment": st.sampled_from(["top", "center", "bottom"]),
    "horizontalAlignment": st.sampled_from(["left", "center", "right"]),
}
TEXT = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(
            [
                "One tree. ",
                "Dr. ",
                "5 Millionen ",
                "\n",
                "<break time='100ms'/>",
                "<s>",
                "</s>",
                "&amp;",
                "<",
                "שלום ",
                "你",
                "😀",
            ]
        ),
        max_size=8,
    ).map("".join),
)
SCENE = st.fixed_dictionaries(
    {},
    optional={
        **STYLE,
        "text": TEXT,
        "voiceOver": st.booleans(),
        "splitTextOnNewLine": st.booleans(),
        "splitTextOnPeriod": st.booleans(),
        "backgroundUri": st.sampled_from(
            [PICTURE, VIDEO, f"{VIDEO}#t=0.5", f"{VIDEO}#t=0.2,0.6", LOST, "s3://abc/d"]
        ),
        "loopBackgroundVideo": st.booleans(),
        "muteBackgroundVideo": st.booleans(),
        "minimumDuration": st.floats(0, 4),
        "textStyles": st.fixed_dictionaries({}, optional=STYLE),
    },
)
STORYBOARD = st.fixed_dictionaries(
    {
        "videoName": st.sampled_from(["trees", "Bäume", "树"]),
        "videoWidth": st.integers(10, 160).map(str),
        "videoHeight": st.integers(10, 160).map(str),
    },
    optional={
        "language": st.sampled_from(["en-US", "de-DE", "zz", "?"]),
        "awsConnectionId": st.just("c"),
        "brandLogo": st.fixed_dictionaries(
            {"url": st.sampled_from([PICTURE, LOST])},
            optional={
                "verticalAlignment": STYLE["verticalAlignment"],
                "horizontalAlignment": STYLE["horizontalAlignment"],
                "width": st.sampled_from(["0%", "0.001%", "10%", "100%"]),
            },
        ),
        "autoHighlightKeywords": st.booleans(),
        "audio": st.fixed_dictionaries(
            {},
            optional={
                "aiVoiceOver": st.fixed_dictionaries(
                    {},
                    optional={
                        "speaker": st.sampled_from(["Anna", ""]),
                        "speed": st.sampled_from(["50", "200", "fast"]),
                        "amplifyLevel": st.sampled_from(["-1", "1", "loud"]),
                    },
                ),
                "autoBackgroundMusic": st.booleans(),
                "backGroundMusicVolume": st.floats(0, 1),
            },
        ),
        "scenes": st.lists(SCENE, max_size=3),
        "textStyles": st.fixed_dictionaries({}, optional=STYLE),
    },
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(STORYBOARD)
def test_any_valid_storyboard_becomes_a_film(storyboard: dict[str, Any]) -> None:
    request = StoryboardRequest.model_validate(storyboard)
    plan = plan_film(request)
    notes_on_drawing(plan, MEDIA)
    with tempfile.TemporaryDirectory() as folder:
        make_film(plan, MEDIA, Path(folder), lambda _part: None)
        with av.open(str(Path(folder) / "video.mp4")) as film:
            stream = film.streams.video[0]
            size = (stream.width, stream.height)
            seconds = sum(1 for _ in film.decode(stream)) / 25
    asked = (int(storyboard["videoWidth"]), int(storyboard["videoHeight"]))
    assert size == tuple(max(side - side % 2, 16) for side in asked)
    assert seconds >= sum(scene.minimumDuration or 0 for scene in request.scenes or ()) - 0.001
    assert seconds == plan.seconds
