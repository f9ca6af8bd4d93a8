"""FetchArticlesOperator on files in a storage, and long texts that are kept in one."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowFailException
from airflow.sdk.io import attach
from fsspec.implementations.memory import MemoryFileSystem

from airflow_video_creation.hooks.article_text import article_with_text
from airflow_video_creation.hooks.articles.files import _url, without_connection
from airflow_video_creation.provider.articles.page import Article
from airflow_video_creation.provider.errors import ArticleError, DeliveryError

from ...told_errors import raises_telling
from .conftest import SAMPLE_SITE, TONIGHT

TEXT = (
    "The tide mill turns\n\n"
    + "The mill stands where the river meets the sea, and has done so since 1886.\n" * 3
)


def put(path: Path, text: str, hours_ago: float = 2) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    moment = (TONIGHT - timedelta(hours=hours_ago)).timestamp()
    os.utime(path, (moment, moment))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    put(tmp_path / "in/mill.txt", TEXT)
    put(tmp_path / "in/old.txt", TEXT, hours_ago=48)
    put(tmp_path / "in/picture.jpg", "no article")
    return tmp_path / "in"


@pytest.mark.parametrize("nowhere", [None, "", " ", "None"])
def test_a_template_for_text_folder_that_gives_nothing_makes_no_folder(
    folder: Path,
    fetch_articles: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    nowhere: str | None,
) -> None:
    monkeypatch.chdir(tmp_path)

    [article], _ = fetch_articles(files=f"{folder}/", text_folder=nowhere)

    assert article["text"]
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_short_files_are_articles_where_the_author_wants_it(
    fetch_articles: Callable[..., Any], tmp_path: Path
) -> None:
    sentence = "High water is at 11:52, and again at midnight."
    put(tmp_path / "tide.txt", f"Tide\n\n{sentence}")
    put(tmp_path / "page.html", f"<html><body><article><p>{sentence}</p></article></body></html>")

    articles, _ = fetch_articles(files=f"{tmp_path}/", shortest_text="20")

    assert [article["text"] for article in articles] == [sentence, sentence]


def test_new_and_changed_files_are_articles_and_long_texts_stay_out_of_xcom(
    folder: Path, fetch_articles: Callable[..., Any], tmp_path: Path
) -> None:
    put(folder / "swifts.html", (SAMPLE_SITE / "city-swifts.html").read_text(), hours_ago=1)
    articles, left_out = fetch_articles(files=f"{folder}/", text_folder=f"{tmp_path}/texts")

    assert left_out == []
    assert [article["title"] for article in articles] == [
        "The tide mill turns",
        "How a city counts its swifts",
    ]
    first = articles[0]
    assert first["url"] == f"file://{folder}/mill.txt"
    assert first["published"] == "2026-11-20T22:00:00+00:00"
    assert first["text"] == ""
    with pytest.raises(ArticleError, match=r"read it with article_with_text\(article\)"):
        Article.from_dict(first)
    assert article_with_text(first)["text"].startswith("The mill stands")
    assert Article.from_dict(article_with_text(first))

    again, _ = fetch_articles(files=f"{folder}/", text_folder=f"{tmp_path}/texts")
    assert again == articles
    assert len(list((tmp_path / "texts").iterdir())) == 2

    put(folder / "mill.txt", TEXT + TEXT, hours_ago=-1)
    changed, _ = fetch_articles(files=[f"{folder}/*.txt"], run="next", run_after=TONIGHT + timedelta(days=1))
    assert [article["url"] for article in changed] == [f"file://{folder}/mill.txt"]


def test_a_file_that_is_gone_or_no_article_is_left_out(
    folder: Path, fetch_articles: Callable[..., Any]
) -> None:
    put(folder / "short.txt", "A title alone")
    (folder / "latin.txt").write_bytes(TEXT.encode() + b"\xe9")
    os.utime(folder / "latin.txt", (TONIGHT.timestamp() - 60, TONIGHT.timestamp() - 60))
    given, left_out = fetch_articles(files=[f"{folder}/short.txt", str(folder)])
    assert len(given) == 1
    assert [(entry["url"].rpartition("/")[2], entry["reason"].split(":")[0]) for entry in left_out] == [
        ("short.txt", "it holds no article"),
        ("latin.txt", "it is not a text in UTF-8"),
    ]
    (folder / "mill.txt").unlink()
    with pytest.raises(AirflowFailException, match=r"mill\.txt does not exist|None of 3"):
        fetch_articles(files=[str(folder)])


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ("nowhere/", "There is no "),
        ("nosuch://conn@bucket/a/", "The storage of 'nosuch://bucket/a/' cannot be used"),
    ],
)
def test_a_place_that_is_not_there_fails_the_task(
    fetch_articles: Callable[..., Any], tmp_path: Path, files: str, says: str
) -> None:
    with raises_telling(AirflowFailException, says):
        fetch_articles(files=files if "://" in files else f"{tmp_path}/{files}")


def test_a_text_that_cannot_be_put_away_fails_the_task_which_may_be_tried_again(
    folder: Path, fetch_articles: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    with raises_telling(DeliveryError, "Correct text_folder= or its permissions"):
        fetch_articles(files=str(folder), text_folder=f"{tmp_path}/file")
    articles, _ = fetch_articles(files=str(folder), run="next", text_folder=f"{tmp_path}/texts")
    assert [article["title"] for article in articles] == ["The tide mill turns"]


def test_a_text_that_is_not_there_fails_the_task_that_reads_it_at_once(tmp_path: Path) -> None:
    article = {"url": "https://example.com/a", "text": "", "text_url": f"{tmp_path}/other.txt"}
    with pytest.raises(AirflowFailException, match="does not exist") as gone:
        article_with_text(article)
    assert isinstance(gone.value, ArticleError)
    with pytest.raises(AirflowFailException, match="None is not an article"):
        article_with_text(None)  # type: ignore[arg-type]
    (tmp_path / "other.txt").write_bytes(b"\xff")
    with pytest.raises(AirflowFailException, match="is not the text that was written there"):
        article_with_text(article)
    with pytest.raises(AirflowFailException, match="cannot be used"):
        article_with_text({**article, "text_url": "nosuch://bucket/a.txt"})


def test_articles_and_texts_lie_in_any_storage(fetch_articles: Callable[..., Any]) -> None:
    store = attach("memory", fs=MemoryFileSystem()).fs
    store.pipe("/bucket/in/a mill.txt", TEXT.encode())
    store.pipe("/bucket/in/no article.jpg", b"")
    arguments = {"files": "memory://bucket/in/", "text_folder": "memory://bucket/texts/"}

    [article], left_out = fetch_articles(run_after=datetime.now(UTC) + timedelta(minutes=1), **arguments)

    assert left_out == []
    assert article["url"] == "memory://bucket/in/a mill.txt"
    assert article["text_url"].startswith("memory://bucket/texts/")
    assert article_with_text(article)["text"].startswith("The mill stands")
    for pattern in ("memory://bucket/in/*.txt", "memory://bucket/in/a mill.txt"):
        again, _ = fetch_articles(run="again", run_after=datetime.now(UTC), files=pattern)
        assert again == []


def test_a_files_url_keeps_the_connection_that_reads_it_and_shows_it_to_nobody() -> None:
    url = "s3://my_aws@bucket/articles/a@b.html"
    assert _url("s3://my_aws@bucket/articles/", "bucket/articles/a@b.html") == url
    assert without_connection(url) == "s3://bucket/articles/a@b.html"


@pytest.mark.parametrize(("place", "read"), [("notes/*.md", True), ("notes/a.md", True), ("notes/", False)])
def test_markdown_is_read_where_the_place_says_so(
    fetch_articles: Any, tmp_path: Path, place: str, read: bool
) -> None:
    """A README in a folder is seldom an article."""
    put(tmp_path / "notes/a.md", f"# The **tide** mill\n\n{TEXT}")
    articles, left_out = fetch_articles(files=f"{tmp_path}/{place}")

    assert [article["title"] for article in articles] == (["The tide mill"] if read else [])
    assert left_out == []


def test_a_document_that_cannot_be_read_is_refused(fetch_articles: Any, tmp_path: Path) -> None:
    with pytest.raises(AirflowFailException) as refused:
        fetch_articles(files=f"{tmp_path}/report.pdf")
    assert "names .pdf files, which cannot be read: save them as .html, .txt or .md" in str(refused.value)
