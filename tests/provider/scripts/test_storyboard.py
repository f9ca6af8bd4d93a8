"""A script becomes a storyboard with a report, or something takes its place."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("text_to_num", reason="not installed: pip install '.[ai]'")

from airflow_video_creation.provider.articles.storyboard import storyboard_from_article
from airflow_video_creation.provider.errors import ScriptError
from airflow_video_creation.provider.models.storyboard import Storyboard
from airflow_video_creation.provider.scripts.storyboard import storyboard_from_script

ARTICLE = {
    "url": "https://news.example.com/mill",
    "title": "Tide mill turns again",
    "language": "en",
    "text": "The mill was built in 1793 and closed in 1965.\nAbout 1,200 visitors came on Saturday & bought flour.",
}
GOOD = {"text": "It was built in 1793.", "source": "The mill was built in 1793 and closed in 1965."}
ALSO_GOOD = {
    "text": "Some 1,200 visitors came & bought flour.",
    "source": "About 1,200 visitors came on Saturday & bought flour.",
}
BAD = {**GOOD, "text": "The mill was built in 1739."}


def script(*scenes: dict[str, str], **parts: str) -> dict[str, Any]:
    return {
        "title": "The mill is back",
        "hook": "It turns!",
        "closing": "Go and see.",
        "scenes": scenes,
        **parts,
    }


def texts(made: Any) -> list[str]:
    return [scene["text"] for scene in made["storyboard"]["scenes"]]


def test_each_scene_of_the_script_is_one_of_the_video_and_the_name_is_the_articles() -> None:
    made = storyboard_from_script(script(GOOD, ALSO_GOOD), ARTICLE, {"closing_scene": "Read on at {site}"})

    assert texts(made) == [
        "The mill is back",
        "It turns!",
        "It was built in 1793.",
        "Some 1,200 visitors came &amp; bought flour.",
        "Go and see.",
        "Read on at news.example.com",
    ]
    assert made["storyboard"]["videoName"] == storyboard_from_article(ARTICLE)["videoName"]
    assert made["metadata"]["script"] == {
        "video_of": "script",
        "findings": [],
        "sources": [GOOD, ALSO_GOOD],
    }
    assert Storyboard.read(made["storyboard"])
    assert json.dumps(made)


def test_a_script_of_task_llm_may_be_a_model_its_fields_or_json() -> None:
    given = script(GOOD)

    assert storyboard_from_script(given, ARTICLE) == storyboard_from_script(json.dumps(given), ARTICLE)


def test_the_articles_own_text_takes_the_place_of_a_script_that_is_wrong() -> None:
    made = storyboard_from_script(script(GOOD, BAD), ARTICLE)

    assert made["storyboard"] == storyboard_from_article(ARTICLE)
    told = made["metadata"]["script"]
    assert told["video_of"] == "article"
    assert [(each["place"], each["kind"], each["words"]) for each in told["findings"]] == [
        ("scenes[1]", "date", "1739")
    ]


def test_the_article_that_takes_its_place_is_no_longer_than_asked() -> None:
    long = {**ARTICLE, "text": ARTICLE["text"] * 30}

    assert len(texts(storyboard_from_script(script(BAD), long, seconds=30))) < len(
        texts(storyboard_from_script(script(BAD), long))
    )


def test_drop_leaves_out_what_is_wrong() -> None:
    given = script(GOOD, BAD, title="Mill of 1792", closing="Bye, said Anna Keller.")

    made = storyboard_from_script(given, ARTICLE, on_unsupported="drop")

    assert texts(made) == ["Tide mill turns again", "It turns!", "It was built in 1793."]
    assert made["metadata"]["script"]["video_of"] == "rest of the script"


def test_drop_shortens_a_script_that_is_too_long() -> None:
    given = script(*[GOOD] * 20)

    made = storyboard_from_script(given, ARTICLE, seconds=20, on_unsupported="drop")

    assert 3 < len(texts(made)) < 20
    assert texts(made)[-1] == "Go and see."


@pytest.mark.parametrize(
    ("given", "on_unsupported"),
    [
        (script(GOOD, BAD), "fail"),
        (script(BAD), "drop"),
        ({"title": "no scenes"}, "fail"),
        ({"title": "no scenes"}, "drop"),
        ("I cannot help with that.", "fail"),
        ("", "drop"),
        (script(GOOD, hook="x" * 5000), "fail"),
    ],
)
def test_where_nothing_may_take_its_place_it_fails_and_says_that_nothing_was_paid(
    given: Any, on_unsupported: Any
) -> None:
    with pytest.raises(
        ScriptError, match=r"no script for https://news\.example\.com/mill[\s\S]*no video was paid for"
    ):
        storyboard_from_script(given, ARTICLE, on_unsupported=on_unsupported)


@pytest.mark.parametrize(
    "nonsense", ["", "null", "[]", "I cannot help with that.", {}, {"scenes": [{"text": "a"}]}]
)
def test_an_answer_that_is_no_script_falls_back(nonsense: Any) -> None:
    made = storyboard_from_script(nonsense, ARTICLE)

    assert made["storyboard"] == storyboard_from_article(ARTICLE)
    assert "no script" in made["metadata"]["script"]["reason"]


def test_an_answer_with_a_thousand_faults_is_told_in_one_readable_error() -> None:
    answer = {**script(GOOD), "scenes": [{"text": ""}] * 1000}

    with pytest.raises(ScriptError) as failed:
        storyboard_from_script(answer, ARTICLE, on_unsupported="fail")
    assert len(str(failed.value)) < 5000
