from airflow_video_creation.emulator.contract.storyboard import StoryboardRequest
from airflow_video_creation.emulator.rendering.film_plan import FilmPlan, plan_film
from airflow_video_creation.emulator.rendering.subtitles import as_srt, as_text, as_vtt, cues_of

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
