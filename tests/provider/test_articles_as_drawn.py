"""An article's words, through the storyboard request, to what the emulator draws, speaks and subtitles."""

from __future__ import annotations

import pytest

from airflow_video_creation.emulator.contract.storyboard import StoryboardRequest
from airflow_video_creation.emulator.rendering.film_plan import plan_film
from airflow_video_creation.emulator.rendering.ssml import well_formed_ssml
from airflow_video_creation.emulator.rendering.subtitles import as_srt, cues_of
from airflow_video_creation.provider.articles.storyboard import storyboard_from_article


@pytest.mark.parametrize(
    "headline",
    [
        "Marks & Spencer",
        'Use <break time="1s"/> & wait',
        "All at once {{ 1/0 }}",
        "Why &amp; is no word",
        "<speak>Not SSML</speak>",
    ],
)
def test_a_headline_is_shown_as_it_was_written(headline: str) -> None:
    article = {"url": "https://example.com/a", "title": headline, "text": "Some text."}
    request = storyboard_from_article(article)

    plan = plan_film(StoryboardRequest.model_validate(request))

    assert plan.scenes[0].text == headline
    assert headline in as_srt(cues_of(plan))
    assert well_formed_ssml(request["scenes"][0]["text"]) is None
