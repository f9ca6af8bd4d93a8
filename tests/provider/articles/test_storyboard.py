"""An article -> a storyboard request that the models accept, with the article's text as data."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airflow_video_creation.provider.articles.page import Article
from airflow_video_creation.provider.articles.storyboard import storyboard_from_article, video_name
from airflow_video_creation.provider.errors import ArticleError, InvalidRequestError
from airflow_video_creation.provider.models.storyboard import Storyboard

ARTICLE = Article(
    url="https://almanac.example.com/tide-mill.html",
    title="Salt & tide: the mill's <new> start {{ 1/0 }}",
    published="2026-11-21T10:30:00+00:00",
    author="Marguerite Vallé",
    language="en-GB",
    picture="https://almanac.example.com/tide-mill.jpg",
    text='Use <break time="1s"/> & wait.\nFlour, water & salt.',
)
ANY_TEXT = st.text(st.characters(exclude_categories=()))


def test_the_request_has_the_interfaces_names() -> None:
    assert storyboard_from_article(ARTICLE) == {
        "videoName": "salt-tide-the-mills-new-start-1-0-f45a8bdd9bd5",
        "videoDescription": (
            "Salt & tide: the mill's <new> start {{ 1/0 }} (Marguerite Vallé, 2026-11-21T10:30:00+00:00, "
            "https://almanac.example.com/tide-mill.html)"
        ),
        "language": "en-GB",
        "scenes": [
            {
                "text": text,
                "voiceOver": True,
                "backgroundUri": "https://almanac.example.com/tide-mill.jpg",
                "backgroundType": "image",
            }
            for text in (
                "Salt &amp; tide: the mill's &lt;new&gt; start {{ 1/0 }}",
                'Use &lt;break time="1s"/&gt; &amp; wait.',
                "Flour, water &amp; salt.",
            )
        ],
    }


def test_what_an_article_does_not_have_is_not_sent() -> None:
    request = storyboard_from_article({"url": ARTICLE.url, "title": "A title", "text": "Some text."})
    assert "language" not in request
    assert request["scenes"] == [
        {"text": "A title", "voiceOver": True},
        {"text": "Some text.", "voiceOver": True},
    ]


def test_a_short_video_is_the_start_of_the_long_one() -> None:
    whole = storyboard_from_article(ARTICLE, words_per_scene=2)
    short = storyboard_from_article(ARTICLE, words_per_scene=2, max_scenes=3)
    assert len(whole["scenes"]) > 3
    assert short == whole | {"scenes": whole["scenes"][:3]}


def test_limits_of_less_than_one_are_refused() -> None:
    for limit in ("max_scenes", "words_per_scene"):
        with pytest.raises(InvalidRequestError, match=f"{limit}: must be greater than or equal to 1"):
            storyboard_from_article(ARTICLE, **{limit: 0})


def test_an_article_without_text_is_refused_with_its_address() -> None:
    with pytest.raises(ArticleError, match=r"tide-mill\.html has no text"):
        storyboard_from_article({**vars(ARTICLE), "text": ""})


def test_an_article_that_is_all_control_characters_is_refused() -> None:
    with pytest.raises(ArticleError, match="no text that can be shown"):
        storyboard_from_article({**vars(ARTICLE), "title": "\x01", "text": "\ufffe"})


def test_what_is_left_out_is_logged_and_the_rest_ends_with_a_sentence(
    caplog: pytest.LogCaptureFixture,
) -> None:
    article = {**vars(ARTICLE), "text": "One two three. Four five six seven, eight nine ten. Eleven."}
    with caplog.at_level("INFO"):
        request = storyboard_from_article(article, words_per_scene=4, max_scenes=3)

    assert [scene["text"] for scene in request["scenes"]][1:] == ["One two three."]
    assert "The last 2 of 3 scenes of text are left out of salt-tide" in caplog.text
    assert "max_scenes=3" in caplog.text


def test_a_picture_without_a_usable_address_is_left_out_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO"):
        request = storyboard_from_article({**vars(ARTICLE), "picture": "data:image/png;base64,AAAA"})

    Storyboard.read(request)
    assert not any("backgroundUri" in scene for scene in request["scenes"])
    assert "no usable address" in caplog.text


@settings(deadline=None)
@given(title=ANY_TEXT, text=ANY_TEXT)
def test_scene_text_is_well_formed_and_reads_as_the_article(title: str, text: str) -> None:
    article = {**vars(ARTICLE), "title": f"T{title}", "text": f"T{text}"}

    request = storyboard_from_article(article)

    Storyboard.read(request)
    for scene in request["scenes"]:
        element = ElementTree.fromstring(f"<speak>{scene['text']}</speak>")
        assert len(element) == 0
        assert (element.text or "").strip()


@settings(deadline=None)
@given(title=ANY_TEXT, url=ANY_TEXT)
def test_a_video_name_is_safe_as_a_files_name(title: str, url: str) -> None:
    name = video_name(title, url)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert len(name) <= 100


@pytest.mark.parametrize(
    ("title", "start"),
    [
        ("Où dorment les hérons ?", "ou-dorment-les-herons-"),
        ("Straße, smørrebrød & œuvre", "strasse-smorrebrod-oeuvre-"),
        ("The mill’s start—at last", "the-mills-start-at-last-"),
        ("../../etc/passwd", "etc-passwd-"),
        ("CON", "con-"),
        ("nul.txt", "nul-txt-"),
        ("潮汐", "article-"),
        ("潮汐 2", "2-"),
        ("🌊", "article-"),
        ("", "article-"),
        ("x" * 300, "x" * 80 + "-"),
        ("x" * 79 + " y", "x" * 79 + "-"),
    ],
)
def test_a_video_name_starts_with_the_title(title: str, start: str) -> None:
    assert video_name(title, "https://example.com/").startswith(start)


def test_articles_of_one_title_get_different_names_and_one_article_always_the_same() -> None:
    first, second = (video_name("Weather", f"https://example.com/{day}") for day in (1, 2))
    assert first != second
    assert first == video_name("Weather", "https://example.com/1")


def test_a_changed_headline_keeps_the_names_end() -> None:
    before, after = (video_name(title, "https://example.com/1") for title in ("Flood", "Flood over"))
    assert before.rpartition("-")[2] == after.rpartition("-")[2]


@pytest.mark.parametrize("source", ["s3://aws_default@bucket/a.html", "file:///in/a.html", "cms:4711"])
def test_an_article_from_elsewhere_is_named_after_what_tells_it_apart(source: str) -> None:
    request = storyboard_from_article({"url": source, "title": "Weather", "text": "Rain."})
    assert request["videoName"] == video_name("Weather", source)
    Storyboard.read(request)
