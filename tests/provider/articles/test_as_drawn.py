"""An article's words, through the storyboard request and Airflow, to what the emulator draws, speaks and subtitles."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from airflow.sdk import DAG, task

from airflow_video_creation.emulator.contract.storyboard import StoryboardRequest
from airflow_video_creation.emulator.rendering.film.plan import plan_film
from airflow_video_creation.emulator.rendering.film.subtitles import as_srt, cues_of
from airflow_video_creation.emulator.rendering.sound.ssml import read_text
from airflow_video_creation.operators.storyboard import CreateStoryboardOperator
from airflow_video_creation.provider.articles.storyboard import storyboard_from_article

HEADLINES = [
    "Marks & Spencer",
    'Use <break time="1s"/> & wait',
    "All at once {{ 1/0 }}",
    "Why {title} and {{title}} are no places",
    "Why &amp; is no word",
    "<speak>Not SSML</speak>",
]


@pytest.mark.parametrize("headline", HEADLINES)
@pytest.mark.parametrize("closing", ["{title}", 'The end of {title}<break time="10ms"/>'])
def test_a_headline_is_shown_as_it_was_written(headline: str, closing: str) -> None:
    article = {"url": "https://example.com/a", "title": headline, "text": "Some text."}
    request = storyboard_from_article(article, template={"closing_scene": closing})

    plan = plan_film(StoryboardRequest.model_validate(request))

    assert plan.scenes[0].text == headline
    assert plan.scenes[-1].text == closing.partition("<")[0].replace("{title}", headline)
    assert headline in as_srt(cues_of(plan))
    assert not read_text(request["scenes"][0]["text"]).is_ssml


@pytest.mark.usefixtures("video_creation_emulator")
def test_airflow_renders_nothing_within_an_article() -> None:
    """As in a DAG: one task returns the storyboard, the next one submits it, and Airflow hands it over."""
    headline = " / ".join(HEADLINES)
    article = {
        "url": "https://example.com/a",
        "title": headline,
        "text": "Some {{ ti.task_id }} text {% raw %}.",
    }

    @task
    def make_storyboard() -> dict[str, Any]:
        return {**storyboard_from_article(article), "videoWidth": 64, "videoHeight": 64}

    with DAG("articles"):
        made = make_storyboard()
        submit = CreateStoryboardOperator(task_id="submit", storyboard=made, wait_for_completion=True)
    xcom = json.loads(json.dumps(made.operator.python_callable()))
    ti = SimpleNamespace(
        run_id="manual", map_index=-1, xcom_pull=lambda **_: xcom, max_tries=0, try_number=1, task=submit
    )
    context: Any = {"ti": ti}
    submit.render_template_fields(context)
    job = submit.execute(context)

    assert isinstance(job, dict)
    drawn = job["render_settings"]["storyboard"]
    assert drawn == xcom | {"videoWidth": "64", "videoHeight": "64"}
    shown = [scene.text for scene in plan_film(StoryboardRequest.model_validate(drawn)).scenes]
    assert shown == [headline, article["text"]]
