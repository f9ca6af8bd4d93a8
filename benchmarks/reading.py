"""How well web pages are read: precision, recall and F1 of our text beside the library's default.

``python benchmarks/reading.py FOLDER``: pages as ``FOLDER/<kind>/<name>.html``, with the text that a person would
read beside each, as ``<name>.txt``. None are in this repository.

Words are counted in any order. In languages that are written without spaces each character is a word. Each page weighs
the same. An empty text has precision, recall and F1 of 0.
"""

from __future__ import annotations

import argparse
import logging
import re
from collections import Counter
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from statistics import mean

from figures_kept import Measuring, Result, end
from figures_pages import table

from airflow_video_creation.provider.articles.feed import FeedEntry
from airflow_video_creation.provider.errors import ArticleError

# Thai, Burmese, Japanese, Chinese and Korean.
WORD = re.compile(r"[\u0e00-\u0e7f\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
ADVERTISEMENTS_UNTIL_0_1 = "//*[starts-with(@class, 'ad-') or contains(@class, ' ad-')]"
Scores = tuple[float, float, float]


def ours(page: bytes) -> str:
    """Our text of a page of any length."""
    from airflow_video_creation.provider.articles.page import read_page

    entry = FeedEntry("https://www.example.com/page")
    try:
        return read_page(page, entry=entry, shortest_text=1, longest_text=1 << 30).text
    except ArticleError:
        return ""


def ours_until_0_1(page: bytes) -> str:
    """The text as our settings gave it until 0.1."""
    return _library(page, include_comments=False, include_tables=False, prune_xpath=ADVERTISEMENTS_UNTIL_0_1)


def default(page: bytes) -> str:
    """The text as the library gives it by default."""
    return _library(page)


def _library(page: bytes, **settings: object) -> str:
    from trafilatura import bare_extraction

    found = bare_extraction(page, **settings)  # type: ignore[arg-type]
    return (getattr(found, "text", None) or "") if found else ""


READERS: dict[str, Callable[[bytes], str]] = {
    "ours": ours,
    "ours until 0.1": ours_until_0_1,
    "the library's default": default,
}


def scores(text: str, expected: str) -> Scores:
    """Precision, recall and F1."""
    words, wanted = (Counter(WORD.findall(each.casefold())) for each in (text, expected))
    common = (words & wanted).total()
    if not common:
        return 0.0, 0.0, 0.0
    precision, recall = common / words.total(), common / wanted.total()
    return precision, recall, 2 * precision * recall / (precision + recall)


def parts(result: Result) -> Mapping[str, str]:
    """A row for each kind of page and reader."""
    rows = [
        [
            f"{count} {kind}" if name == next(iter(found)) else "",
            name,
            *(f"{each:.3f}" for each in found[name]),
        ]
        for kind, count, found in result.found
        for name in found
    ]
    return {"reading": table(["pages", "read by", "precision", "recall", "F1"], *rows)}


def main() -> None:
    """Read all pages, kind by kind."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", action="store_true", help="name the pages whose F1 is below the default's")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the result in it")
    chosen = parser.parse_args()
    measuring = Measuring()
    logging.disable(logging.CRITICAL)
    kinds: dict[str, list[dict[str, Scores]]] = {}
    for path in sorted(chosen.folder.glob("*/*.html")):
        page, expected = path.read_bytes(), path.with_suffix(".txt").read_text("utf-8")
        measured = {name: scores(read(page), expected) for name, read in READERS.items()}
        kinds.setdefault(path.parent.name, []).append(measured)
        if chosen.pages and measured["ours"][2] < measured["the library's default"][2] - 0.005:
            print(path, *(f"{name}: {each[2]:.3f}" for name, each in measured.items()), sep="; ")
    if not kinds:
        parser.error(f"{chosen.folder} has no KIND/NAME.html")
    everything = [each for pages in kinds.values() for each in pages]
    found = [
        (
            kind,
            len(pages),
            {
                name: [mean(each) for each in zip(*(page[name] for page in pages), strict=True)]
                for name in READERS
            },
        )
        for kind, pages in [*kinds.items(), ("all", everything)]
    ]
    end(measuring.ended(found, {"trafilatura": version("trafilatura")}), parts, chosen.keep)


if __name__ == "__main__":
    main()
