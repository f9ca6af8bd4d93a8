"""A scene's text split into further scenes, at new lines and at periods."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from xml.sax.saxutils import escape

import sentencex

from ..sound.ssml import is_well_formed

MAY_BE_PARTED = frozenset({"speak", "p", "s"})
"""Elements that a split may part: they are closed before it and opened again after it."""

_MARKUP = re.compile(
    r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<(?P<end>/)?(?P<name>[^\s/>]+)(?:[^>\"']|\"[^\"]*\"|'[^']*')*>",
    re.DOTALL,
)
_LINE_END = re.compile(r"\r\n?|[\n\x85\u2028\u2029]")
_PERIODS = (".", "\u3002", "\uff0e", "\uff61")
_INITIAL = re.compile(r"(?<!\w)[^\W\d_]\.$")
"""A letter by itself is rarely the end of a sentence: M. Dupont, J. K. Rowling."""

_SPACE = re.compile(r"\s*")


def split_text(text: str, *, on_new_line: bool, on_period: bool, language: str) -> list[str]:
    """Split a scene's text; each part is well-formed where the text was.

    :param text: plain or SSML
    :param on_new_line: at line ends
    :param on_period: after sentences that end with a period, not after abbreviations or within numbers
    :param language: whose abbreviations are known, such as `en-US`
    :return: at least one part; none without something to read
    """
    is_xml = is_well_formed(text)
    marks = list(_MARKUP.finditer(text)) if is_xml else []
    seen = _without(text, marks)
    ends: set[int] = set()
    if on_new_line:
        ends |= {found.end() for found in _LINE_END.finditer(seen)}
    if on_period:
        ends |= set(_sentence_ends(seen, language))
    cuts = _cuts(text, seen, sorted(ends), marks)
    borders = [0, *(position for position, _ in cuts), len(text)]
    parts = []
    for number, (start, end) in enumerate(pairwise(borders)):
        opened = cuts[number - 1][1] if number else []
        closed = cuts[number][1] if number < len(cuts) else []
        reopening = "".join(mark[0] for mark in opened)
        closing = "".join(f"</{mark['name']}>" for mark in reversed(closed))
        part = f"{reopening}{text[start:end]}{closing}".strip()
        # What was plain text stays so, even where a part of it by itself would be read as tags.
        parts.append(escape(part) if not is_xml and is_well_formed(part) else part)
    return parts


def _without(text: str, marks: list[re.Match[str]]) -> str:
    """The text with spaces where markup is, so that places in it stay what they are."""
    pieces, position = [], 0
    for mark in marks:
        pieces += [text[position : mark.start()], " " * len(mark[0])]
        position = mark.end()
    return "".join([*pieces, text[position:]])


def _sentence_ends(seen: str, language: str) -> Iterator[int]:
    code = language.partition("-")[0].lower()
    start = 0
    # Line by line, since the end of a line is no matter of sentences here.
    for line in seen.splitlines(keepends=True):
        position = start
        for sentence in sentencex.segment(code, line):
            position += len(sentence)
            ends = sentence.rstrip().rstrip("\"'”’»)]").endswith(_PERIODS)
            if ends and not _INITIAL.search(sentence.rstrip()):
                yield start + len(line[: position - start].rstrip())
        start += len(line)


def _cuts(
    text: str, seen: str, ends: list[int], marks: list[re.Match[str]]
) -> list[tuple[int, list[re.Match[str]]]]:
    """Where the text is cut, and the elements that are open there. Both sides of a cut have something to read."""
    cuts: list[tuple[int, list[re.Match[str]]]] = []
    before = 0
    mark_at = {mark.start(): mark for mark in marks}
    for end in ends:
        position = _after(end, text, mark_at)
        opened = _open_at(position, marks)
        can_be_cut = all(mark["name"] in MAY_BE_PARTED for mark in opened)
        if can_be_cut and seen[before:position].strip() and seen[position:].strip():
            cuts.append((position, opened))
            before = position
    return cuts


def _after(end: int, text: str, mark_at: dict[int, re.Match[str]]) -> int:
    """Where a new part begins: behind the spaces, closing tags and empty elements that follow a sentence's end."""
    position = end
    while mark_at and (space := _SPACE.match(text, position)):
        mark = mark_at.get(space.end())
        if mark is None or (mark["name"] and not mark["end"] and not mark[0].endswith("/>")):
            return space.end()
        position = mark.end()
    return position


def _open_at(position: int, marks: list[re.Match[str]]) -> list[re.Match[str]]:
    opened: list[re.Match[str]] = []
    for mark in marks:
        if mark.start() >= position:
            break
        if mark["end"]:
            opened.pop()
        elif mark["name"] and not mark[0].endswith("/>"):
            opened.append(mark)
    return opened
