"""The words of a Markdown file, without its markup."""

from __future__ import annotations

import re

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_TITLE = re.compile(r"^title:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_TARGET = r"(?:\((?:[^()\n]|\([^()\n]{0,200}\)){0,2000}\)|\[[^\[\]\n]{0,200}\])"
"""Follows the text of a link or of a picture. Each length has a limit, since a file may be crafted to be slow."""
_LEFT_OUT = (
    # Code, comments, pictures, and lines that are not prose: rules, tables, link addresses, underlines of headings.
    re.compile(
        r"^[ \t]{0,3}(`{3,9}+|~{3,9}+)[^`\n]*\n.*?(?:^[ \t]{0,3}\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
    ),
    re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL),
    re.compile(rf"!\[[^\[\]\n]{{0,500}}\]{_TARGET}"),
    re.compile(r"^[ \t]{0,9}(?:[-*_=][ \t]{0,9}){3,200}$", re.MULTILINE),
    re.compile(r"^[ \t]{0,9}\|.*$", re.MULTILINE),
    re.compile(r"^[ \t]{0,3}\[[^\[\]\n]{1,200}\]:.*$", re.MULTILINE),
    re.compile(r"\[\^[^\[\]\n]{1,200}\]"),
    re.compile(r"</?[a-zA-Z][^<>\n]{0,2000}>"),
)
_KEPT = (
    # Text between marks: links, code, bold and italic words. Then text after marks.
    (re.compile(rf"\[([^\[\]\n]{{0,500}})\]{_TARGET}"), r"\1"),
    (re.compile(r"(?<!`)(`{1,3})([^`\n]{1,500})\1(?!`)"), r"\2"),
    (re.compile(r"(\*\*|__|~~)(?=[^\s*_~])([^\n]{1,300}?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<![\w*])([*_])(?=[^\s*_])([^*_\n]{1,300}?)(?<=\S)\1(?![\w*])"), r"\2"),
    (re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+(.*?)#{0,9}[ \t]{0,9}$", re.MULTILINE), r"\1\n"),
    (re.compile(r"^(?:[ \t]{0,9}>){1,20}", re.MULTILINE), ""),
    (re.compile(r"^[ \t]{0,99}(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t])?", re.MULTILINE), "\n"),
)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_SET_ASIDE = re.compile("[\ue021-\ue07e]")
_AREA = 0xE000
"""Private characters, which replace escaped marks while the other marks are processed."""
MAX_READ = 100_000
"""The most characters of a file to process: an article keeps a fifth of them (ours)."""


def words_of_markdown(text: str) -> str:
    """The text of a Markdown file as it is read aloud: a title, then a line for each paragraph (source: ours).

    The title is that of the front matter or, without one, the first line. Code, tables, pictures and addresses are left
    out.

    :param text: of the file.
    """
    text = _SET_ASIDE.sub("", text[:MAX_READ]).replace("\r\n", "\n").replace("\r", "\n")
    title = ""
    if front := _FRONT_MATTER.match(text):
        found = _TITLE.search(front[1])
        title = found[1].strip("'\"") if found else ""
        text = text[front.end() :]
    text = _ESCAPED.sub(lambda escaped: chr(_AREA + ord(escaped[1])), text)
    for pattern in _LEFT_OUT:
        text = pattern.sub("", text)
    for pattern, kept in _KEPT:
        text = pattern.sub(kept, text)
    text = _SET_ASIDE.sub(lambda aside: chr(ord(aside[0]) - _AREA), text)
    paragraphs = [" ".join(paragraph.split()) for paragraph in re.split(r"\n[ \t]*\n", text)]
    lines = [line for line in paragraphs if line]
    if title and lines[:1] != [title]:
        lines.insert(0, title)
    return "\n".join(lines)
