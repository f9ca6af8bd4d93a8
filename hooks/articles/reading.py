"""Reads the articles that a run chose: one that cannot be read does not stop the others."""

from __future__ import annotations

import traceback
from typing import NamedTuple

from ...provider.articles.feed import FeedEntry
from ...provider.articles.page import Article
from ...provider.articles.selection.memory import Record
from ...provider.articles.selection.new_entries import MAX_TAKEOVERS
from ...provider.errors import ArticleError, VideoCreationError
from ...provider.text.readable_text import readable
from .choice import LeftOut
from .fetch import without_secrets
from .sources import ArticleSource


class Reading(NamedTuple):
    """What was read, in the order of the choice, and the entries that may be read later."""

    articles: dict[FeedEntry, Article]
    waiting: list[FeedEntry]


def read_articles(source: ArticleSource, record: Record, left_out: LeftOut, *, remembered: bool) -> Reading:
    """Read what a run chose (source: ours).

    :param source: where it is read.
    :param record: what was chosen.
    :param left_out: takes what cannot be read.
    :param remembered: whether later runs try again what cannot be read for now.
    :raises ArticleError: nothing could be read; the error is retryable if one of theirs was.
    :raises ConfigurationError: an extra or a storage that all need is not there.
    """
    articles: dict[FeedEntry, Article] = {}
    waiting: list[FeedEntry] = []
    failures: list[ArticleError] = []
    for held in record.held:
        try:
            article = _read(source, held.entry, record.language, left_out)
        except ArticleError as error:
            failures.append(error)
            again = remembered and error.retryable and held.runs < MAX_TAKEOVERS
            if again:
                left_out.add([held.entry], "later", f"{error} The next run tries it again.")
            else:
                left_out.add([held.entry], "wrong", f"{error}")
            if error.retryable:
                waiting.append(held.entry)
        else:
            articles[held.entry] = article
            left_out.log.info(
                "Read “%s”, %d characters, %s", article.title, len(article.text), without_secrets(article.url)
            )
    if failures and not articles:
        worst = max(failures, key=lambda failure: failure.retryable)
        message = readable(f"None of {len(failures)} articles could be read. {worst}")
        raise type(worst)(message) from None
    return Reading(articles, waiting)


def _read(source: ArticleSource, entry: FeedEntry, language: str | None, left_out: LeftOut) -> Article:
    try:
        return source.read(entry, language)
    except VideoCreationError:
        raise
    # Other people's content can break any library, whose message may quote secrets.
    except Exception as error:
        left_out.log.debug("%s", "".join(traceback.format_tb(error.__traceback__)))
        raise ArticleError(
            f"{without_secrets(entry.url)} could not be read ({type(error).__name__}). Leave it out, and please "
            "report it."
        ) from None
