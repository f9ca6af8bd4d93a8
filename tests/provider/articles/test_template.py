"""What a template makes of an article."""

from __future__ import annotations

import string
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airflow_video_creation.provider.articles.storyboard import storyboard_from_article
from airflow_video_creation.provider.articles.template import StoryboardTemplate
from airflow_video_creation.provider.models.storyboard import Storyboard
from airflow_video_creation.provider.spending.estimate import estimated_seconds
from airflow_video_creation.provider.text.scenes import one_line

EXAMPLE = Path(__file__).parents[3] / "example_dags" / "article_style.yaml"
ARTICLE = {
    "url": "https://www.almanac.example.com/tide-mill.html",
    "title": "Salt & tide",
    "published": "2026-11-21T10:30:00+00:00",
    "author": "Marguerite Vallé",
    "language": "pt-BR",
    "picture": "https://almanac.example.com/tide-mill.jpg",
    "text": "One two three. Four five six. Seven eight nine.",
}
LEAD = ARTICLE["picture"]


def scenes(template: Any, **article: Any) -> list[dict[str, Any]]:
    request = storyboard_from_article(ARTICLE | article, template=template)
    Storyboard.read(request)
    return request["scenes"]


def texts(template: Any, **article: Any) -> list[str]:
    return [scene["text"] for scene in scenes(template, **article)]


def backgrounds(template: Any, **article: Any) -> list[str | None]:
    return [scene.get("backgroundUri") for scene in scenes({"words_per_scene": 3, **template}, **article)]


def test_all_videos_have_the_templates_fields() -> None:
    common = {
        "videoWidth": 640,
        "textStyles": {"fontSize": 30},
        "brandLogo": {"url": "https://example.com/logo.png"},
        "audio": {"autoBackgroundMusic": True, "backGroundMusicVolume": 0.2},
        "autoHighlightKeywords": True,
        "webhook": "https://example.com/done",
        "extra_fields": {"tone": "calm"},
    }

    request = storyboard_from_article(ARTICLE, template={"storyboard": common})

    assert request.items() >= common.items()
    assert Storyboard.read(request).to_wire()["tone"] == "calm"


def test_empty_texts_of_a_template_are_left_out_of_what_is_sent() -> None:
    template = {
        "storyboard": {"language": "", "videoDescription": "", "textStyles": {"textColor": ""}},
        "every_scene": {"voiceOver": True, "fontFamily": ""},
        "title_scene": False,
    }

    request = Storyboard.read(storyboard_from_article(ARTICLE, template=template))

    assert request.to_wire().keys() == {"videoName", "language", "scenes", "textStyles"}
    assert request.language == "pt-BR"
    assert "videoDescription, scenes[0].fontFamily, textStyles.textColor" in request.warnings()[0]


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ({}, ["Salt &amp; tide", ARTICLE["text"]]),
        ({"title_scene": False}, [ARTICLE["text"]]),
        ({"words_per_scene": 6}, ["Salt &amp; tide", "One two three. Four five six.", "Seven eight nine."]),
        # 140 words a minute: 3 words in 1.3 seconds.
        ({"seconds_per_scene": 1.3}, ["Salt &amp; tide", *ARTICLE["text"].replace(". ", ".|").split("|")]),
        ({"max_scenes": 2, "words_per_scene": 3}, ["Salt &amp; tide", "One two three."]),
        ({"max_scenes": 1}, ["Salt &amp; tide"]),
        (
            {"max_scenes": 3, "words_per_scene": 3, "closing_scene": "Read on at {site}"},
            ["Salt &amp; tide", "One two three.", "Read on at almanac.example.com"],
        ),
    ],
)
def test_rules_decide_the_scenes(template: dict[str, Any], expected: list[str]) -> None:
    assert texts(template) == expected


def test_a_faster_voice_says_more_in_the_same_time() -> None:
    fast = {"storyboard": {"audio": {"aiVoiceOver": {"speed": 200}}}, "seconds_per_scene": 2.6}
    assert texts(fast)[1] == ARTICLE["text"]


def test_a_whole_of_so_many_seconds_ends_with_a_sentence_and_the_closing_scene() -> None:
    template = {"words_per_scene": 5, "max_seconds": 30, "closing_scene": "The end."}
    text = "One two three four, five six seven eight. " * 40

    request = storyboard_from_article(ARTICLE | {"text": text}, template=template)

    spoken = [scene["text"] for scene in request["scenes"]]
    assert 20 < estimated_seconds(Storyboard.read(request)) <= 30
    assert spoken[-2].endswith("eight.")
    assert spoken[-1] == "The end."


def test_at_least_one_scene_of_text_stays() -> None:
    assert len(texts({"max_seconds": 1})) == 2


@pytest.mark.parametrize(
    ("closing", "article", "text"),
    [
        ("{title} ({published})", {}, "Salt &amp; tide (2026-11-21)"),
        ("More: {url}\nby {author}", {}, f"More: {ARTICLE['url']}\nby Marguerite Vallé"),
        ("More: {url}\nby {author}", {"author": None}, f"More: {ARTICLE['url']}"),
        ("Tips & tricks: <3 {title}", {}, "Tips &amp; tricks: &lt;3 Salt &amp; tide"),
        ("R&amp;D at {site}", {}, "R&amp;D at almanac.example.com"),
        ('{title} <break time="1s"/> Bye!', {}, 'Salt &amp; tide <break time="1s"/> Bye!'),
        ("{{title}}", {}, "{title}"),
        ("{title}", {"title": "{author} {{ 1/0 }} <p>"}, "{author} {{ 1/0 }} &lt;p&gt;"),
        ("On {published}", {"published": "yesterday"}, "On yesterday"),
    ],
)
def test_the_closing_scene_is_filled_in(closing: str, article: dict[str, Any], text: str) -> None:
    assert texts({"closing_scene": closing}, **article)[-1] == text


def test_a_closing_scene_without_its_values_is_left_out() -> None:
    assert len(texts({"closing_scene": "by {author}"}, author=None)) == 2


def test_title_closing_and_every_scene_have_fields_of_their_own() -> None:
    template = {
        "every_scene": {"minimumDuration": 3, "voiceOver": False},
        "title_scene": {"fontSize": 60, "voiceOver": True},
        "closing_scene": {"text": "Bye", "backgroundUri": "s3://media/end.MP4", "muteBackgroundVideo": True},
    }
    title, text, closing = scenes(template)
    assert (title["fontSize"], title["voiceOver"], title["minimumDuration"]) == (60, True, 3)
    assert (text["voiceOver"], text["backgroundUri"]) == (False, LEAD)
    assert closing["backgroundUri"] == "s3://media/end.MP4"
    assert closing["backgroundType"] == "video"


A, B = "https://example.com/a.jpg", "s3://media/b.mp4"


@pytest.mark.parametrize(
    ("template", "article", "expected"),
    [
        ({}, {}, [LEAD] * 4),
        ({"lead_picture": "first"}, {}, [LEAD, None, None, None]),
        ({"lead_picture": "none"}, {}, [None] * 4),
        ({"lead_picture": "none", "backgrounds": [A, B]}, {}, [A, B, A, B]),
        ({"lead_picture": "first", "backgrounds": [A, B]}, {}, [LEAD, A, B, A]),
        ({"backgrounds": [A]}, {}, [LEAD] * 4),
        ({"backgrounds": [A, B]}, {"picture": None}, [A, B, A, B]),
    ],
)
def test_pictures_stand_behind_the_scenes(
    template: dict[str, Any], article: dict[str, Any], expected: list[str | None]
) -> None:
    assert backgrounds(template, **article) == expected


def test_a_backgrounds_kind_is_told_by_its_ending_or_by_the_template() -> None:
    template = {
        "lead_picture": "none",
        "words_per_scene": 3,
        "backgrounds": [A, B, {"backgroundUri": A, "backgroundType": "picture", "loopBackgroundVideo": True}],
    }
    kinds = [scene["backgroundType"] for scene in scenes(template)]
    assert kinds == ["image", "video", "picture", "image"]


@pytest.mark.parametrize(
    ("language", "voice"),
    [
        ("pt-BR", {"speaker": "Rui", "speed": 90}),
        ("pt_PT", {"speaker": "Inês", "speed": 100}),
        ("de", {"speaker": "Joan", "speed": 100}),
        (None, {"speaker": "Joan", "speed": 100}),
    ],
)
def test_the_language_decides_the_voice(language: str | None, voice: dict[str, str]) -> None:
    template = {
        "storyboard": {"audio": {"aiVoiceOver": {"speaker": "Joan", "speed": 100}}},
        "voices": {"pt": {"speaker": "Inês"}, "pt-br": {"speaker": "Rui", "speed": 90}},
    }
    request = storyboard_from_article(ARTICLE | {"language": language}, template=template)
    assert request["audio"]["aiVoiceOver"] == voice


def test_a_language_without_a_voice_leaves_it_to_the_service() -> None:
    assert "audio" not in storyboard_from_article(ARTICLE, template={"voices": {"de": {"speaker": "Hans"}}})


def test_the_templates_language_and_description_replace_the_articles() -> None:
    template = {
        "storyboard": {"language": "en", "videoDescription": "News"},
        "voices": {"en": {"speaker": "Joan"}},
    }
    request = storyboard_from_article(ARTICLE, template=template)
    assert (request["language"], request["videoDescription"]) == ("en", "News")
    assert request["audio"] == {"aiVoiceOver": {"speaker": "Joan"}}


def test_a_template_is_python_a_mapping_a_text_or_a_path(tmp_path: Path) -> None:
    file = tmp_path / "style.yaml"
    file.write_text("words_per_scene: 3\nstoryboard: {videoWidth: 640}\n", "utf-8")
    json_file = tmp_path / "style.json"
    json_file.write_text('{"words_per_scene": 3, "storyboard": {"videoWidth": 640}}', "utf-8")
    wanted = StoryboardTemplate(words_per_scene=3, storyboard={"video_width": 640})

    mapping = {"words_per_scene": 3, "storyboard": {"videoWidth": 640}}
    expected = storyboard_from_article(ARTICLE, template=wanted)
    for value in (mapping, file.read_text("utf-8"), file, json_file):
        assert storyboard_from_article(ARTICLE, template=value) == expected


def test_of_several_templates_the_last_decides(tmp_path: Path) -> None:
    style = tmp_path / "style.yaml"
    style.write_text("max_scenes: 5\nwords_per_scene: 12\n")
    template = StoryboardTemplate.read([style, {"max_scenes": 3}])

    assert (template.max_scenes, template.words_per_scene) == (3, 12)


def test_arguments_replace_the_templates_rules() -> None:
    template = {"seconds_per_scene": 100, "max_scenes": 9}
    request = storyboard_from_article(ARTICLE, template=template, words_per_scene=3, max_scenes=3)
    assert [scene["text"] for scene in request["scenes"]][1:] == ["One two three.", "Four five six."]


def test_the_example_is_a_template_whose_storyboards_are_accepted() -> None:
    assert len(scenes(EXAMPLE, text="A calm day by the river. " * 200)) == 5


ANY_TEXT = st.text(st.characters(exclude_categories=()))
TEMPLATES = st.fixed_dictionaries(
    {},
    optional={
        "words_per_scene": st.integers(1, 40),
        "max_scenes": st.integers(2, 6),
        "max_seconds": st.floats(1, 60),
        "title_scene": st.booleans(),
        "closing_scene": st.sampled_from(
            ["{title} & {author}", "<s>{url}</s>\n{published}", "{{{site}}}", "<3 {title}"]
        ),
        "lead_picture": st.sampled_from(["every", "first", "none"]),
        "backgrounds": st.lists(st.sampled_from([A, B]), max_size=2),
    },
)


@settings(deadline=None, max_examples=60)
@given(
    template=TEMPLATES,
    article=st.fixed_dictionaries(
        {"url": ANY_TEXT, "title": ANY_TEXT, "text": ANY_TEXT},
        optional=dict.fromkeys(("author", "published", "language", "picture"), ANY_TEXT),
    ),
)
def test_what_comes_out_is_always_a_storyboard(template: dict[str, Any], article: dict[str, str]) -> None:
    article |= {name: f"T{article[name]}" for name in ("url", "title", "text")}

    request = storyboard_from_article(article, template=template)

    Storyboard.read(request)
    assert len(request["scenes"]) <= template.get("max_scenes", 1000)
    for scene in request["scenes"]:
        ElementTree.fromstring(f"<speak>{scene['text']}</speak>")


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(string.ascii_letters + ".,&<{", min_size=1), min_size=1), st.integers(1, 9))
def test_no_word_is_lost_or_doubled(words: list[str], limit: int) -> None:
    text = " ".join(words)
    request = storyboard_from_article(ARTICLE | {"text": text}, words_per_scene=limit)
    said = [ElementTree.fromstring(f"<s>{scene['text']}</s>").text or "" for scene in request["scenes"][1:]]
    assert " ".join(said).split() == one_line(text).split()
