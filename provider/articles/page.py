"""A page's bytes -> an article."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from email.message import Message
from typing import Any

from ..errors import ArticleError, VideoCreationError
from ..extras import articles_extra
from ..quoting import quotable
from ..text.readable_text import readable, readable_address
from .feed import MAX_TITLE, FeedEntry, web_address
from .markdown import words_of_markdown
from .reading_aloud import leave_out_what_is_not_spoken

# A shorter text is a teaser, a consent form or an error page, and would become a video of that.
SHORTEST_TEXT = 100
MAX_TEXT = 20_000
MAX_NAME = 200
_ADDRESSES = ("url", "picture", "text_url")

_PUBLISHED_NAMES = {
    "article:published_time",
    "date",
    "datepublished",
    "dc.date",
    "dc.date.issued",
    "dcterms.created",
    "pubdate",
}
_MIN_REPEATED = 25
"""Characters from which a paragraph is read once only; a short one, such as "No." in an interview, may come again."""
_LIST_MARKS = re.compile(r"^ *- ", re.MULTILINE)
_PUBLISHED_JSON = re.compile(r'"datePublished"\s*:\s*"([^"]+)"')


@dataclass(frozen=True)
class Article:
    """An article as stored in XCom (with ``dataclasses.asdict``): its text and where it came from.

    ``published`` is ISO 8601 with a time zone. ``language`` is the source's own word for it, such as ``en-GB``.
    ``picture`` is the absolute address of the lead picture. ``text`` is plain text, one paragraph a line, without the
    title; if the text is kept in object storage, ``text_url`` says where and ``text`` is empty. Characters that XML
    cannot hold are dropped, in addresses percent-encoded: databases refuse them too.
    """

    url: str
    title: str
    published: str | None
    author: str | None
    language: str | None
    picture: str | None
    text: str
    text_url: str | None = None

    def __post_init__(self) -> None:
        """Make all strings fit for XCom."""
        for name, value in vars(self).items():
            if isinstance(value, str):
                fit = readable_address(value) if name in _ADDRESSES else readable(value)
                object.__setattr__(self, name, fit)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Article:
        """Return the article in a mapping, such as one from XCom; other keys are ignored (source: ours).

        :param values: the fields by name, strings or None; ``url``, ``title`` and ``text`` must be there and not empty.
        :raises ArticleError: one of these is missing, or is not a string.
        """
        if not isinstance(values, Mapping):
            raise ArticleError(
                f"{quotable(repr(values))} is not an article. Give one from FetchArticlesOperator, or a mapping with "
                "url, title and text."
            )
        known: dict[str, Any] = {field.name: values.get(field.name) for field in fields(cls)}
        for name, value in known.items():
            if value is not None and not isinstance(value, str):
                names = (known[key] for key in ("url", "title") if isinstance(known[key], str))
                raise ArticleError(
                    f"The article {quotable(next(names, '')) or 'without url'} has {name}={quotable(repr(value))}. "
                    "Give a string, or leave the field out."
                )
        for name in ("url", "title", "text"):
            if not (known[name] or "").strip():
                where = quotable(known["url"] or known["title"]) or "without url"
                if name == "text" and known["text_url"]:
                    raise ArticleError(
                        f"The text of {where} is kept in object storage. First read it with "
                        "article_with_text(article) from airflow_video_creation.hooks.article_text."
                    )
                raise ArticleError(
                    f"The article {where} has no {name}, so no video can be made of it. Leave it out."
                )
        return cls(**known)


def read_page(
    body: bytes,
    *,
    entry: FeedEntry,
    base_url: str | None = None,
    content_type: str = "",
    default_language: str | None = None,
    shortest_text: int = SHORTEST_TEXT,
    longest_text: int = MAX_TEXT,
) -> Article:
    """Return the article on a web page, without navigation, advertisements, comments and cookie notes.

    The text is for reading aloud: without footnotes, and without tables of names and numbers.

    Title and date are the feed's if it has them. A page's date is taken only from its metadata, since guesses from the
    text find such things as "© 2026". The lead picture is the one in the metadata or, without one, the first in the
    text (source: ours).

    :param body: the page as it was served.
    :param entry: what is known of the article; its ``url`` is kept as the article's.
    :param base_url: where the page was finally served, after redirects; relative picture links are resolved against it.
    :param content_type: the HTTP header of that name, for the charset; without one, or if it is wrong, the page's bytes
        decide.
    :param default_language: for a page that names none.
    :param shortest_text: the fewest characters that are needed.
    :param longest_text: the most characters to keep; a longer text is cut after a whole paragraph, or otherwise after a
        whole word.
    :raises ArticleError: no text was found.
    :raises ConfigurationError: the extra ``[articles]`` is not installed.
    """
    try:
        return _article(
            _decoded(body, content_type),
            entry,
            base_url or entry.url,
            default_language,
            shortest_text,
            longest_text,
        )
    except VideoCreationError:
        raise
    # A page is untrusted data: an error of a parser concerns this page only.
    except Exception as error:
        raise ArticleError(
            f"{quotable(entry.url)} cannot be read as a web page ({type(error).__name__}). Leave it out."
        ) from error


def read_text(
    body: bytes,
    *,
    entry: FeedEntry,
    default_language: str | None = None,
    shortest_text: int = SHORTEST_TEXT,
    longest_text: int = MAX_TEXT,
    is_markdown: bool = False,
) -> Article:
    """Return the article in a text file, whose first line is its title (source: ours).

    :param body: UTF-8, with or without a byte order mark.
    :param entry: what is known of the article.
    :param default_language: used since the text names none.
    :param shortest_text: as for ``read_page``.
    :param longest_text: as for ``read_page``.
    :param is_markdown: whether to remove Markdown's markup.
    :raises ArticleError: it is too short to be an article, or not UTF-8.
    """
    try:
        decoded = body.decode("utf-8-sig")
    except UnicodeDecodeError:
        decoded = "\0"
    # UTF-16 without a byte order mark looks like UTF-8 full of NULs.
    if "\0" in decoded:
        raise ArticleError(
            f"{quotable(entry.url)} is not a text in UTF-8: save it as UTF-8, or leave it out."
        )
    text = _plain_text(words_of_markdown(decoded) if is_markdown else decoded)
    title, _, rest = text.partition("\n")
    if len(rest) < shortest_text:
        raise ArticleError(
            f"{quotable(entry.url)} holds no article: it needs a title in the first line, and at least "
            f"{shortest_text} characters below it. A smaller shortest_text allows fewer."
        )
    return Article(
        url=entry.url,
        title=_cut(entry.title or title, MAX_TITLE),
        published=entry.published.isoformat() if entry.published else None,
        author=entry.author,
        language=default_language,
        picture=None,
        text=_cut(rest, longest_text),
    )


def _article(
    page: str | bytes,
    entry: FeedEntry,
    base: str,
    default_language: str | None,
    shortest_text: int,
    longest_text: int,
) -> Article:
    with articles_extra():
        from trafilatura import load_html

    tree = load_html(page)
    if tree is not None:
        leave_out_what_is_not_spoken(tree)
    found = None if tree is None else _extract(tree, include_images=False)
    text = _without_repeats(_plain_text(_LIST_MARKS.sub("", found.text or ""))) if found else ""
    title = readable(entry.title or (found.title if found else "") or "")
    title = _cut(" ".join(title.split()), MAX_TITLE)
    text = _without_title(text, title)
    if tree is None or found is None or len(text) < shortest_text:
        raise ArticleError(
            f"{quotable(entry.url)} has no article text (at least {shortest_text} characters are needed): it may be "
            "behind a login, or be made by scripts. Give another address, leave it out, or set a smaller shortest_text."
        )
    picture = web_address(base, found.image)
    if picture is None:
        illustrated = _extract(tree, include_images=True)
        graphics = illustrated.body.iter("graphic") if illustrated and illustrated.body is not None else ()
        picture = next((address for g in graphics if (address := web_address(base, g.get("src")))), None)
    return Article(
        url=entry.url,
        title=title or textwrap.shorten(text, 90, placeholder="…"),
        published=entry.published.isoformat() if entry.published else _published(tree),
        author=(found.author or entry.author or "")[:MAX_NAME] or None,
        language=(tree.get("lang") or default_language or "")[:MAX_NAME] or None,
        picture=picture,
        text=_cut(text, longest_text),
    )


def _extract(tree: Any, *, include_images: bool) -> Any:
    from trafilatura import bare_extraction

    return bare_extraction(
        tree,
        # They are found more reliably if requested, and are kept apart from the text.
        include_comments=True,
        include_tables=False,
        include_images=include_images,
        with_metadata=True,
    )


def _decoded(body: bytes, content_type: str) -> str | bytes:
    header = Message()
    header["content-type"] = content_type
    try:
        charset = header.get_content_charset()
        return body.decode(charset) if charset else body
    # There is no such charset, or the page is not written in it.
    except (LookupError, ValueError):
        return body


def _plain_text(text: str) -> str:
    lines = (" ".join(line.split()) for line in readable(text).splitlines())
    return "\n".join(line for line in lines if line)


def _without_repeats(text: str) -> str:
    # trafilatura below 2.2 gives a short article twice, and some pages show a paragraph again as a pull quote.
    kept: list[str] = []
    seen: set[str] = set()
    for line in text.splitlines():
        if line not in seen:
            kept.append(line)
        if len(line) >= _MIN_REPEATED:
            seen.add(line)
    return "\n".join(kept)


def _without_title(text: str, title: str) -> str:
    first, _, rest = text.partition("\n")
    return rest if first.casefold() == title.casefold() else text


def _cut(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    start = text[: longest + 1]
    end = max(start.rfind("\n"), 0) or max(start.rfind(" "), 0) or longest
    return start[:end]


def _published(tree: Any) -> str | None:
    """Return the date of publication in a page's metadata; one without a time zone counts as UTC."""
    dates = [
        meta.get("content", "")
        for meta in tree.iter("meta")
        if (meta.get("property") or meta.get("itemprop") or meta.get("name") or "").lower()
        in _PUBLISHED_NAMES
    ]
    dates += _PUBLISHED_JSON.findall("".join(tree.xpath("//script[@type='application/ld+json']/text()")))
    for date in dates:
        try:
            moment = datetime.fromisoformat(date.strip())
        except ValueError:
            continue
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).isoformat()
    return None
