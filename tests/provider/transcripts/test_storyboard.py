"""Storyboards from transcripts: what the service is asked to show, from when to when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.errors import ConfigurationError
from airflow_video_creation.provider.models import Storyboard
from airflow_video_creation.provider.transcripts.cue import Cue
from airflow_video_creation.provider.transcripts.sentences import Sentence
from airflow_video_creation.provider.transcripts.storyboard import (
    spoken_scenes,
    subtitled_video,
    summary_video,
)
from airflow_video_creation.provider.transcripts.transcript import Transcript
from airflow_video_creation.provider.transcripts.video_parts import media_fragment

VIDEO = "https://example.com/talk.mp4?version=2"


def shown(*cues: Cue, **how: float) -> list[tuple[str, float, str]]:
    """What each scene shows: the part of the video, for how long, under which text."""
    request = subtitled_video(VIDEO, Transcript(cues), title="A talk", **how)
    Storyboard.read(request)
    return [
        (scene["backgroundUri"].partition("#")[2], scene["minimumDuration"], scene.get("text", ""))
        for scene in request["scenes"]
    ]


def test_each_cue_is_a_scene_over_its_own_part_of_the_video() -> None:
    assert shown(Cue(0, 2, "One."), Cue(2, 5.25, "Two & three.")) == [
        ("t=0,2", 2, "One."),
        ("t=2,5.25", 3.25, "Two &amp; three."),
    ]


def test_it_has_the_videos_own_sound_and_no_voice() -> None:
    [scene] = subtitled_video(VIDEO, Transcript((Cue(0, 3, "One."),), "en"), title="A talk")["scenes"]
    assert scene == {
        "text": "One.",
        "voiceOver": False,
        "backgroundUri": f"{VIDEO}#t=0,3",
        "backgroundType": "video",
        "loopBackgroundVideo": False,
        "muteBackgroundVideo": False,
        "minimumDuration": 3,
    }


@pytest.mark.parametrize(
    ("cues", "scenes"),
    [
        ((Cue(4, 6, "a"),), [("t=0,4", 4, ""), ("t=4,6", 2, "a")]),
        ((Cue(0.5, 3, "a"), Cue(3.4, 6, "b")), [("t=0,3.4", 3.4, "a"), ("t=3.4,6", 2.6, "b")]),
        ((Cue(0, 0.5, "a"), Cue(0.5, 1, "b"), Cue(1, 3, "c")), [("t=0,3", 3, "a b c")]),
        ((Cue(0, 0.5, "a"), Cue(6, 9, "b")), [("t=0,2", 2, "a"), ("t=2,6", 4, ""), ("t=6,9", 3, "b")]),
        ((Cue(0, 9, "a"), Cue(3, 6, "b")), [("t=0,3", 3, "a"), ("t=3,6", 3, "b"), ("t=6,9", 3, "")]),
        ((Cue(0, 5, "a"), Cue(5, 5.5, "b")), [("t=0,5.5", 5.5, "a b")]),
    ],
    ids=["silence-first", "short-silence", "short-cues", "short-then-silence", "overlap", "short-at-the-end"],
)
def test_cues_become_scenes_that_can_be_read(
    cues: tuple[Cue, ...], scenes: list[tuple[str, float, str]]
) -> None:
    assert shown(*cues) == scenes


def test_the_rest_of_the_video_is_shown_when_its_length_is_known() -> None:
    assert shown(Cue(0, 2, "a"), video_seconds=9) == [("t=0,2", 2, "a"), ("t=2,9", 7, "")]


def test_parts_can_be_named_another_way() -> None:
    cues = Transcript((Cue(0, 2, "a"), Cue(2, 4, "b")))
    request = subtitled_video(
        "s3://media/talk.mp4",
        cues,
        title="t",
        part_uri=lambda uri, start, end: f"{uri[:-4]}/{start:06.1f}.mp4",
    )
    assert [scene["backgroundUri"] for scene in request["scenes"]] == [
        "s3://media/talk/0000.0.mp4",
        "s3://media/talk/0002.0.mp4",
    ]
    with pytest.raises(ConfigurationError, match="part of an s3:// video"):
        media_fragment("s3://media/talk.mp4", 0, 2)


def test_a_summary_shows_the_parts_or_is_read_aloud() -> None:
    chosen = [Sentence("{{ 1/0 }} <break/> & so on.", 3, 5.5), Sentence("End.", 9, 10)]
    shown = summary_video(chosen, title="t", source="s", video_uri=VIDEO)["scenes"]
    assert [scene["backgroundUri"] for scene in shown] == [f"{VIDEO}#t=3,5.5", f"{VIDEO}#t=9,10"]
    read = summary_video(chosen, title="t", source="s", picture="https://example.com/a.jpg", language="en")
    Storyboard.read(read)
    assert read["language"] == "en"
    assert read["scenes"][0] == {
        "text": "{{ 1/0 }} &lt;break/&gt; &amp; so on.",
        "voiceOver": True,
        "backgroundUri": "https://example.com/a.jpg",
        "backgroundType": "image",
    }


def test_sentences_of_one_speaker_share_a_scene_as_far_as_they_fit() -> None:
    said = [Sentence("One two.", 0, 1, "A"), Sentence("Three.", 1, 2, "A"), Sentence("Four five.", 2, 3, "A")]
    said.append(Sentence("Yes.", 3, 4, "B"))
    assert [scene["text"] for scene in spoken_scenes(said, None, 4)] == [
        "One two. Three.",
        "Four five.",
        "Yes.",
    ]


@given(
    st.lists(
        st.tuples(st.floats(0, 6), st.floats(0, 8), st.text(min_size=1, max_size=5).filter(str.isalnum)),
        min_size=1,
        max_size=25,
    ),
    st.floats(0, 5),
    st.none() | st.floats(0, 100),
)
def test_the_scenes_cover_the_video_in_order_with_every_word(
    cues: list[tuple[float, float, str]], shortest: float, video_seconds: float | None
) -> None:
    start = 0.0
    made = []
    for pause, seconds, text in cues:
        start += pause
        made.append(Cue(start, start + seconds, text))
    transcript = Transcript(tuple(made))
    request = subtitled_video(
        VIDEO, transcript, title="t", video_seconds=video_seconds, shortest_scene=shortest
    )
    Storyboard.read(request)
    scenes = request["scenes"]
    spans = [tuple(map(float, scene["backgroundUri"].partition("#t=")[2].split(","))) for scene in scenes]
    assert spans[0][0] == 0
    assert [end for _, end in spans[:-1]] == [start for start, _ in spans[1:]]
    assert spans[-1][1] == pytest.approx(max(video_seconds or 0, transcript.end, shortest, 0.1), abs=0.01)
    assert sum(scene["minimumDuration"] for scene in scenes) == pytest.approx(spans[-1][1], abs=0.05)
    assert " ".join(scene["text"] for scene in scenes if "text" in scene).split() == [
        text for *_, text in cues
    ]
    if len(scenes) > 1:
        assert min(end - start for start, end in spans) >= min(shortest, 0.1) - 0.002
