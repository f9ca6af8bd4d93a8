"""Parts of a page: each command writes its own, and leaves the others as they are."""

from __future__ import annotations

from pathlib import Path

from cells import ROOT

DOCUMENT = ROOT / "docs" / "measured" / "compatibility.md"


def write_part(name: str, text: str, page: Path = DOCUMENT) -> None:
    """Write a part of the page, between the lines that mark it.

    :param name: of the part.
    :param text: Markdown.
    :param page: which one.
    """
    begins, ends = f"<!-- {name}: begins -->\n", f"<!-- {name}: ends -->\n"
    whole = page.read_text("utf-8")
    before, after = whole.split(begins)[0], whole.split(ends)[1]
    page.write_text(f"{before}{begins}\n{text.strip()}\n\n{ends}{after}", "utf-8")
