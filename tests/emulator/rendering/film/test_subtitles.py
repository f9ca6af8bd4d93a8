import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airflow_video_creation.emulator.contract.storyboard import StoryboardRequest
from airflow_video_creation.emulator.rendering.film.plan import LEAD_IN_SECONDS, FilmPlan, plan_film
from airflow_video_creation.emulator.rendering.film.subtitles import as_srt, as_text, as_vtt, cues_of

LONG = "The first oaks go to the river bank, where volunteers have dug the holes since March, says the town."


def plan(*texts: str) -> FilmPlan:
    scenes = [{"text": text, "voiceOver": False, "minimumDuration": 20} for text in texts]
    return plan_film(StoryboardRequest.model_validate({"videoName": "v", "scenes": scenes}))


def test_srt() -> None:
    assert as_srt(cues_of(plan("One.", "Two."))) == (
        "1\n00:00:00,000 --> 00:00:20,000\nOne.\n\n2\n00:00:20,000 --> 00:00:40,000\nTwo.\n"
    )


def test_vtt_escapes_what_would_be_a_tag() -> None:
    assert as_vtt(cues_of(plan("1 < 2 & 3"))) == (
        "WEBVTT\n\n00:00:00.000 --> 00:00:20.000\n1 &lt; 2 &amp; 3\n"
    )


def test_a_long_text_is_shown_in_pieces_that_follow_each_other() -> None:
    cues = cues_of(plan(LONG))
    assert len(cues) == 2
    assert (cues[0].start, cues[-1].end) == (0, 20)
    assert cues[0].end == cues[1].start
    assert " ".join(cue.text.replace("\n", " ") for cue in cues) == LONG
    assert all(len(line) <= 42 for cue in cues for line in cue.text.splitlines())


def test_a_scene_without_text_has_no_cue() -> None:
    assert [cue.start for cue in cues_of(plan("", "Two."))] == [20]
    assert as_text(plan("", "Two.", "Three.")) == "Two.\n\nThree.\n"


def spoken(*scenes: dict[str, object]) -> FilmPlan:
    return plan_film(StoryboardRequest.model_validate({"videoName": "v", "scenes": list(scenes)}))


def test_a_cue_begins_with_its_first_word_and_ends_with_the_speech() -> None:
    text = "The city plants ten thousand oaks this year. <break time='2s'/> They cost five million euros."
    plan = spoken({"text": "Silent.", "voiceOver": False}, {"text": text, "minimumDuration": 20})
    silent, first, second = cues_of(plan)
    scene = plan.scenes[1]
    assert scene.speech is not None
    begins = {scene.text[word.position :].split()[0]: word.second for word in scene.speech.words}
    assert (silent.start, silent.end) == (0, plan.scenes[0].seconds)
    assert first.start == pytest.approx(silent.end + LEAD_IN_SECONDS)
    assert second.text == "They cost five million euros."
    assert second.start == first.end == pytest.approx(first.start + begins["They"])
    assert 0 <= second.end - (first.start + scene.speech.seconds) < 1


def test_parts_of_a_split_scene_have_their_own_cues() -> None:
    plan = spoken({"text": "One tree. Two trees.", "splitTextOnPeriod": True})
    first, second = plan.scenes
    assert [cue.text for cue in cues_of(plan)] == ["One tree.", "Two trees."]
    assert cues_of(plan)[1].start == pytest.approx(first.seconds + LEAD_IN_SECONDS)
    assert cues_of(plan)[1].end <= first.seconds + second.seconds


PIECES = (
    "One tree. ",
    "ten &amp; ",
    "<break time='0.1s'/>",
    "<s>Two,</s> ",
    "3.5 ",
    "<sub alias='you'>u</sub> ",
    "\n",
)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@settings(max_examples=40)
def test_cues_follow_each_other_within_their_scene(text: str) -> None:
    plan = spoken({"text": text})
    times = [time for cue in cues_of(plan) for time in (cue.start, cue.end)]
    assert times == sorted(times)
    assert all(cue.end > cue.start for cue in cues_of(plan))
    assert not times or (times[0] >= 0 and times[-1] <= plan.seconds + 1e-9)
