"""Parts of pages that a command writes: the text between ``<!-- NAME: begins -->`` and ``<!-- NAME: ends -->``.

A page is found by the marks in it, so it may move. A part is written whole, and nothing else of its page is touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PART = re.compile(r"<!-- (?P<name>[\w-]+): begins -->\n(?P<text>.*?)<!-- (?P=name): ends -->", re.DOTALL)


def pages() -> list[Path]:
    """All pages that may hold a part."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def parts(page: Path) -> Iterator[tuple[str, str]]:
    """The names and the texts of a page's parts."""
    for part in PART.finditer(page.read_text("utf-8")):
        yield part["name"], part["text"].strip()


def write_part(name: str, text: str) -> Path:
    """Write a part between its marks.

    :param name: of the part.
    :param text: Markdown.
    :return: its page.
    :raises LookupError: when no page has the marks, or more than one.
    """
    holders = [page for page in pages() if name in dict(parts(page))]
    if len(holders) != 1:
        raise LookupError(
            f"{len(holders)} pages hold the part {name!r}, and exactly one should: put the lines "
            f"<!-- {name}: begins --> and <!-- {name}: ends --> where it belongs."
        )
    [page] = holders

    def written(part: re.Match[str]) -> str:
        if part["name"] != name:
            return part[0]
        return f"<!-- {name}: begins -->\n\n{text.strip()}\n\n<!-- {name}: ends -->"

    page.write_text(PART.sub(written, page.read_text("utf-8")), "utf-8")
    return page


def table(head: Sequence[str], *rows: Sequence[str]) -> str:
    """A Markdown table; rows that are too short are filled up.

    :param head: its first row.
    :param rows: the others.
    """
    full = [[*row, *[""] * (len(head) - len(row))] for row in rows]
    lines = [f"| {' | '.join(cells)} |" for cells in (head, *full)]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:]])
