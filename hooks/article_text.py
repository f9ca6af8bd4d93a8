"""Keeps long article texts in object storage, so that XCom holds only their addresses."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..provider.articles.page import Article
from ..provider.errors import ArticleError, DeliveryError
from ..provider.quoting import quotable
from .airflow.errors import airflow_errors
from .airflow.storage import storage_path
from .articles.files import read_file, without_connection


def put_text(article: Article, folder: str) -> Article:
    """Write an article's text to a folder, and return the article with ``text_url`` instead of it (source: ours).

    The file is named after the article's address and its text: the same text makes the same file again, and another
    text never overwrites it.

    :param article: with its text.
    :param folder: a URL or path for ObjectStoragePath, such as ``s3://conn_id@bucket/texts``.
    :raises ConfigurationError: the storage cannot be used.
    :raises DeliveryError: the storage cannot be reached, or the file cannot be written.
    """
    digests = (
        hashlib.sha256(part.encode("utf-8", "replace")).hexdigest() for part in (article.url, article.text)
    )
    name = "-".join(digest[:16] for digest in digests) + ".txt"
    named = f"text_folder={without_connection(folder)!r}"
    path = storage_path(folder, named=named, away=DeliveryError) / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(article.text.encode("utf-8", "replace"))
    # Every file system has its own errors.
    except Exception as error:
        raise DeliveryError(
            f"The text of {quotable(article.url)} cannot be written to {without_connection(folder)} "
            f"({type(error).__name__}: {quotable(str(error))}). Correct text_folder= or its permissions."
        ) from None
    return replace(article, text="", text_url=f"{folder.rstrip('/')}/{name}")


def article_with_text(article: Mapping[str, Any]) -> dict[str, Any]:
    """Return an article from XCom with its text, read from ``text_url`` where it is kept there (source: ours).

    Call it within a task: an error that no retry can fix fails the task at once.

    :param article: a dict that ``FetchArticlesOperator`` returned.
    :return: the same fields, with ``text``.
    :raises ArticleError: it is not an article, or the file is gone, or something else is there.
    :raises ArticleUnreachableError: the storage did not return it, but may later.
    :raises ConfigurationError: the storage cannot be used.
    """
    if not isinstance(article, Mapping):
        with airflow_errors():
            Article.from_dict(article)
    if article.get("text") or not article.get("text_url"):
        return dict(article)
    address = str(article["text_url"])
    with airflow_errors():
        body = read_file(address).body
        try:
            return {**article, "text": body.decode("utf-8")}
        except UnicodeDecodeError:
            raise ArticleError(
                f"{without_connection(address)} is not the text that was written there. Clear the task that fetched "
                "the articles."
            ) from None
