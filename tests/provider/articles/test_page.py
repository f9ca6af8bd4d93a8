"""A page's bytes -> an article: the sample pages whole and clean, and pages that are not as they should be."""

from __future__ import annotations

import io
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from airflow_video_creation import example_dags
from airflow_video_creation.example_dags.sample_site.placeholders import fill_placeholders
from airflow_video_creation.provider.articles.feed import FeedEntry
from airflow_video_creation.provider.articles.page import Article, read_page
from airflow_video_creation.provider.errors import ArticleError, ConfigurationError

SITE = "https://almanac.example.com"
NOW = datetime(2026, 11, 21, 12, 30, tzinfo=UTC)
SAMPLE_SITE = Path(str(example_dags.__file__)).parent / "sample_site"
SENTENCE = "The tide fills the pond behind the dam twice a day, and the gate falls shut by itself. "


def page(text: str = SENTENCE * 4, *, head: str = "", html: str = '<html lang="fr">') -> bytes:
    return (
        f"<!DOCTYPE html>{html}<head><meta charset='utf-8'><title>A title</title>{head}</head><body><article>"
        f"<h1>A title</h1><p>{text}</p><p>{text}</p></article><footer>© 2026 Updated 3 May 2024</footer></body></html>"
    ).encode()


def read(body: bytes, *, url: str = f"{SITE}/a.html", charset: str | None = None) -> Article:
    content_type = f"text/html; charset={charset}" if charset else ""
    return read_page(body, entry=FeedEntry(url), content_type=content_type)


@pytest.mark.parametrize(
    ("name", "title", "author", "published", "first", "last"),
    [
        (
            "tide-mill",
            "After 140 years, the tide mill makes electricity again",
            "Marguerite Vallé",
            "2026-11-21T10:30:00+00:00",
            "At eleven minutes past six this morning,",
            "arrive at the same number as the miller did.",
        ),
        (
            "city-swifts",
            "How a city counts its swifts",
            "Tomás Ibarra",
            "2026-11-21T07:30:00+00:00",
            "Nobody can count a swift on the wing.",
            "they will not come down before spring.",
        ),
        (
            "winter-bread",
            "Flour, water & a cold kitchen: why bread rises slower in winter",
            "Ingrid Solheim",
            "2026-11-21T03:30:00+00:00",
            "The recipe has not changed,",
            "so, with luck, will the plate.",
        ),
    ],
)
def test_a_sample_page_gives_its_article_and_nothing_else(
    name: str, title: str, author: str, published: str, first: str, last: str
) -> None:
    html = (SAMPLE_SITE / f"{name}.html").read_text("utf-8")
    body = fill_placeholders(html, site=SITE, now=NOW).encode()

    article = read(body, url=f"{SITE}/{name}.html")

    assert article.title == title
    assert article.author == author
    assert article.published == published
    assert article.language == "en-GB"
    assert article.picture == f"{SITE}/{name}.jpg"
    assert article.text.startswith(first)
    assert article.text.endswith(last)
    assert 250 <= len(article.text.split()) <= 450
    for foreign in (
        "cookie",
        "Advertisement",
        "Subscribe",
        "newsletter",
        "Related",
        "Comment",
        "©",
        "Picture:",
    ):
        assert foreign not in article.text


@pytest.mark.parametrize("name", ["tide-mill", "city-swifts", "winter-bread"])
def test_a_sample_picture_is_a_small_jpeg_of_the_size_of_a_video(name: str) -> None:
    body = (SAMPLE_SITE / f"{name}.jpg").read_bytes()
    assert len(body) < 120_000
    with Image.open(io.BytesIO(body)) as picture:
        assert (picture.format, picture.size) == ("JPEG", (1280, 720))


def test_an_unknown_placeholder_is_an_error() -> None:
    with pytest.raises(KeyError):
        fill_placeholders("$sight", site=SITE, now=NOW)


def test_what_the_feed_says_goes_before_what_the_page_says() -> None:
    entry = FeedEntry(f"{SITE}/a.html", title="The feed's title", published=NOW, author="The feed")
    article = read_page(page(), entry=entry)
    assert (article.title, article.published, article.author) == (
        "The feed's title",
        "2026-11-21T12:30:00+00:00",
        "The feed",
    )


@pytest.mark.parametrize(
    ("head", "published"),
    [
        ("", None),
        ('<meta property="article:published_time" content="2026-11-20">', "2026-11-20T00:00:00+00:00"),
        ('<meta name="DC.date" content="2026-11-20T08:00:00+01:00">', "2026-11-20T08:00:00+01:00"),
        (
            '<script type="application/ld+json">{"datePublished": "2026-11-20T08:00:00Z"}</script>',
            "2026-11-20T08:00:00+00:00",
        ),
        ('<meta name="date" content="yesterday">', None),
    ],
    ids=["only © 2026", "a day", "Dublin Core", "JSON-LD", "not a date"],
)
def test_a_date_is_taken_from_metadata_and_never_guessed(head: str, published: str | None) -> None:
    assert read(page(head=head)).published == published


@pytest.mark.parametrize(
    ("head", "image", "picture"),
    [
        ('<meta property="og:image" content="/og.jpg">', '<img src="first.jpg">', f"{SITE}/og.jpg"),
        ("", '<img src="first.jpg"><img src="second.jpg">', f"{SITE}/news/first.jpg"),
        ("", '<img src="data:image/png;base64,AAAA">', None),
        (
            '<meta property="og:image" content="http://[::1">',
            '<img src="first.jpg">',
            f"{SITE}/news/first.jpg",
        ),
        ("", "", None),
    ],
    ids=["metadata", "the first in the text", "no address", "half an address", "none"],
)
def test_the_lead_picture_is_absolute(head: str, image: str, picture: str | None) -> None:
    body = page(SENTENCE * 4 + image, head=head)
    article = read_page(body, entry=FeedEntry(f"{SITE}/a"), base_url=f"{SITE}/news/a.html")
    assert article.picture == picture
    assert "![" not in article.text


def test_markup_in_the_text_is_text() -> None:
    article = read(page(SENTENCE * 4 + "Use &lt;break/&gt; &amp; {{ 1/0 }}, not ![this](that)."))
    assert article.text.endswith("Use <break/> & {{ 1/0 }}, not ![this](that).")


@pytest.mark.parametrize(
    ("encoding", "charset"),
    [
        ("utf-8", "utf-8"),
        ("latin-1", "iso-8859-1"),
        ("utf-8", "ascii"),
        ("utf-8", "no-such-charset"),
        ("utf-8", "undefined"),
        ("utf-8", "idna"),
        ("utf-8", "hex"),
        ("utf-8", '"x\0y"'),
        ("utf-8", "punycode; charset*=x\0y''z"),
        ("utf-8", None),
    ],
)
def test_charset_as_declared_or_else_as_found(encoding: str, charset: str | None) -> None:
    text = "Le café de la gare est fermé depuis l'été, et personne ne sait s'il rouvrira avant Noël. " * 3
    body = page(text).decode().replace("©", "(c)").encode(encoding)
    assert "café de la gare est fermé depuis l'été" in read(body, charset=charset).text


def test_the_language_of_the_feed_stands_in_for_a_page_that_names_none() -> None:
    assert read(page()).language == "fr"
    entry = FeedEntry(f"{SITE}/a.html")
    assert read_page(page(html="<html>"), entry=entry, default_language="de").language == "de"


def test_a_long_text_is_cut_after_a_paragraph_or_else_after_a_word() -> None:
    paragraph = " ".join(SENTENCE.split() * 4)
    cut = read_page(page(), entry=FeedEntry(SITE), longest_text=len(paragraph) + 100).text
    assert cut == paragraph
    cut = read_page(page(), entry=FeedEntry(SITE), longest_text=200).text
    assert paragraph.startswith(cut + " ")
    assert len(cut) <= 200


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html><body><p>Loading</p><script>start()</script></body></html>",
        b"\xff\xd8\xff\xe0 a picture \x00\x01",
        b'{"title": "not a page"}',
    ],
    ids=["nothing", "made by scripts", "a picture", "JSON"],
)
def test_a_page_without_an_article_is_said_with_its_address(body: bytes) -> None:
    with pytest.raises(ArticleError, match=r"https://almanac\.example\.com/a\.html has no article text"):
        read(body)


def test_an_article_survives_xcom_and_keys_of_others() -> None:
    article = read(page())
    values = {**vars(article), "mood": "cheerful"}
    assert Article.from_dict(values) == article


@pytest.mark.parametrize("name", ["url", "title", "text"])
def test_an_article_needs_address_title_and_text(name: str) -> None:
    with pytest.raises(ArticleError, match=f"has no {name}"):
        Article.from_dict({"url": SITE, "title": "A title", "text": "Some text.", name: " "})


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"published": NOW}, rf"The article {SITE} has published=datetime\.datetime\(2026.*Give a string"),
        ({"author": ["A", "B"]}, rf"The article {SITE} has author=\['A', 'B'\]"),
        ({"title": 5}, rf"The article {SITE} has title=5"),
        ({"url": 5}, "The article A title has url=5"),
        ({"text": ["Some text."]}, rf"The article {SITE} has text="),
        ({"text_url": 5, "text": ""}, rf"The article {SITE} has text_url=5"),
    ],
)
def test_a_field_of_another_type_is_refused_by_name(values: dict[str, object], says: str) -> None:
    with pytest.raises(ArticleError, match=says):
        Article.from_dict({"url": SITE, "title": "A title", "text": "Some text.", **values})


@pytest.mark.parametrize("values", [None, [], "an article", 5])
def test_what_is_no_mapping_is_no_article(values: Any) -> None:
    with pytest.raises(ArticleError, match="is not an article"):
        Article.from_dict(values)


def test_an_article_holds_no_character_that_a_store_refuses() -> None:
    article = Article(
        url="file:///a\udcff\ud800.txt",
        title="A\0 \x1b[31mtitle",
        published=None,
        author="\ud800B",
        language="e\x01n",
        picture="https://example.com/\0.jpg",
        text="One\tline\n\x08another\ufffe",
    )
    assert article.url == "file:///a%FF%ED%A0%80.txt"
    assert (article.title, article.author, article.language) == ("A [31mtitle", "B", "en")
    assert article.picture == "https://example.com/%00.jpg"
    assert article.text == "One\tline\nanother"


def test_a_missing_extra_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    with pytest.raises(
        ConfigurationError, match=r"pip install 'airflow-provider-video-creation\[articles\]'"
    ):
        read(page())


def test_a_title_that_never_ends_is_cut_since_it_becomes_a_paid_scene():
    page = f"<html><body><article><p>{'A long enough text. ' * 30}</p></article></body></html>".encode()
    article = read_page(page, entry=FeedEntry("https://news.example.com/a", title="word " * 100_000))
    assert len(article.title) <= 300
