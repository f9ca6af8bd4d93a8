"""Parts of ``docs/compatibility.md``: each command writes its own, and leaves the other's as it is."""

from __future__ import annotations

from cells import ROOT

DOCUMENT = ROOT / "docs" / "compatibility.md"


def write_part(name: str, text: str) -> None:
    """Write a part of the page, between the lines that mark it.

    :param name: of the part.
    :param text: Markdown.
    """
    begins, ends = f"<!-- {name}: begins -->\n", f"<!-- {name}: ends -->\n"
    page = DOCUMENT.read_text("utf-8")
    before, after = page.split(begins)[0], page.split(ends)[1]
    DOCUMENT.write_text(f"{before}{begins}\n{text.strip()}\n\n{ends}{after}", "utf-8")
