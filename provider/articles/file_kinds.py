"""Which files are articles, by the end of their name."""

from __future__ import annotations

MARKDOWN = ".md"
CONTENT_TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".txt": "text/plain",
    MARKDOWN: "text/markdown",
}
_OTHERS = (".pdf", ".doc", ".docx", ".odt", ".rtf", ".epub", ".pptx", ".pages")
"""Documents that somebody may give instead of a text file (ours)."""


def ending(name: str) -> str:
    """The end of a file's name, in lower case.

    :param name: of a file, with or without its path.
    """
    return f".{name.rpartition('.')[2].lower()}"


def endings_at(place: str) -> set[str]:
    """The kinds of files that count as articles at a place (source: ours).

    A README in a folder is rarely an article, so Markdown is read only if the place says so.

    :param place: a folder, a file or a pattern.
    """
    return set(CONTENT_TYPES) if ending(place) == MARKDOWN else set(CONTENT_TYPES) - {MARKDOWN}


def refused_kind(place: str) -> str | None:
    """Why nothing at a place can be read; None if something may be.

    :param place: a folder, a file or a pattern.
    """
    if ending(place) not in _OTHERS:
        return None
    return f"names {ending(place)} files, which cannot be read: save them as .html, .txt or .md"
