"""Keeps long article texts in object storage, so that XCom carries only where they are."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..provider.articles.page import Article
from ..provider.protocol.errors import ArticleError, DeliveryError
from ..provider.protocol.quoting import quotable
from .article_files import read_file, storage_path, without_connection


def put_text(article: Article, folder: str) -> Article:
    """Write an article's text to a folder, and return the article with ``text_url`` instead of it (source: ours).

    The file is named after the article's address and its text: written again it is the same file, and another text
    never takes its place.

    :param article: with its text.
    :param folder: a URL or path for ObjectStoragePath, such as ``s3://conn_id@bucket/texts``.
    :raises ConfigurationError: the storage cannot be used.
    :raises DeliveryError: the file cannot be written.
    """
    digests = (
        hashlib.sha256(part.encode("utf-8", "replace")).hexdigest() for part in (article.url, article.text)
    )
    name = "-".join(digest[:16] for digest in digests) + ".txt"
    path = storage_path(folder) / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(article.text.encode("utf-8", "replace"))
    # Every file system has errors of its own.
    except Exception as error:
        raise DeliveryError(
            f"The text of {quotable(article.url)} cannot be written to {without_connection(folder)} "
            f"({type(error).__name__}: {quotable(str(error))}): correct text_folder= or its rights."
        ) from None
    return replace(article, text="", text_url=f"{folder.rstrip('/')}/{name}")


def article_with_text(article: Mapping[str, Any]) -> dict[str, Any]:
    """Return an article from XCom with its text, read from ``text_url`` where it is kept there (source: ours).

    :param article: a dict that ``FetchArticlesOperator`` returned.
    :raises ArticleError: the file is gone.
    :raises ArticleUnreachableError: the storage did not give it.
    """
    if article.get("text") or not article.get("text_url"):
        return dict(article)
    body = read_file(str(article["text_url"])).body
    try:
        return {**article, "text": body.decode("utf-8")}
    except UnicodeDecodeError:
        where = without_connection(str(article["text_url"]))
        raise ArticleError(
            f"{where} is not the text that was written there: clear the task that fetched the articles."
        ) from None
