"""A storage is opened, or its error says whether to install, to correct or to wait."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from airflow.providers.common.compat.sdk import AirflowNotFoundException, ObjectStoragePath

from airflow_video_creation.hooks.airflow.storage import storage_path
from airflow_video_creation.hooks.article_text import put_text
from airflow_video_creation.hooks.articles.files import list_files, read_file
from airflow_video_creation.hooks.delivery.place import place_of
from airflow_video_creation.hooks.transcript_fetch import fetch_transcript
from airflow_video_creation.provider.articles.page import Article
from airflow_video_creation.provider.errors import ArticleUnreachableError, ConfigurationError, DeliveryError

ARTICLE = Article("https://example.com/a", "A", None, None, None, None, "Text")
USERS: dict[str, Callable[[str], object]] = {
    "a folder of articles": lambda place: list_files([place]),
    "an article": read_file,
    "a long text": lambda place: put_text(ARTICLE, place),
    "a transcript": fetch_transcript,
    "a delivery": lambda place: place_of(place, "own", "fetch"),
}


def test_paths_on_disk_and_urls_lead_to_the_same_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a b#1?.txt").write_text("Text")
    monkeypatch.chdir(tmp_path)
    for place in (f"file://{tmp_path}/a b#1?.txt", f"{tmp_path}/a b#1?.txt", "a b#1?.txt"):
        assert storage_path(place, named="It", away=DeliveryError).read_text() == "Text"


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize(
    ("protocol", "package"),
    [
        ("s3", "apache-airflow-providers-amazon[s3fs]"),
        ("gs", "apache-airflow-providers-google"),
        ("abfs", "apache-airflow-providers-microsoft-azure"),
    ],
)
def test_whoever_opens_a_storage_is_told_the_package_that_it_needs(
    user: str, protocol: str, package: str
) -> None:
    with pytest.raises(ConfigurationError) as told:
        USERS[user](f"{protocol}://bucket/a.txt")
    assert f"if it is not installed: pip install '{package}'" in str(told.value)
    assert str(told.value).count("bucket/a.txt") == 1
    assert not told.value.retryable


@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize(
    "error", [TimeoutError("SlowDown"), AirflowNotFoundException("The conn_id `c` isn't defined")]
)
def test_a_storage_that_may_be_there_later_is_tried_again(
    user: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Any) -> None:
        raise error

    monkeypatch.setattr(ObjectStoragePath, "fs", property(fail))
    kind = DeliveryError if user in ("a long text", "a delivery") else ArticleUnreachableError
    with pytest.raises(kind, match=r"cannot be reached \(.*try again"):
        USERS[user]("memory://bucket/a.txt")
