"""How many texts are split into the sentences that a reader sees, by us and by whichever other libraries are installed.

The texts are tests/provider/text/sentences.txt. A text counts when all its sentences are right.
"""

# ruff: noqa: RUF001 - it has texts in several languages
from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from figures_kept import ROOT, Measuring, Result, end
from figures_pages import table

Reader = Callable[[str, str], Sequence[str]]
"""Gives the sentences of a text in a language."""


def ours() -> Reader:
    """Sentencex with our rules on top."""
    from airflow_video_creation.provider.text.sentences import sentences_of

    return lambda text, language: sentences_of(text, language)


def sentencex() -> Reader:
    """Sentencex as it is."""
    from sentencex import segment

    return lambda text, language: list(segment(language, text))


def pysbd() -> Reader:
    """Knows no Portuguese."""
    from pysbd import Segmenter

    made: dict[str, Segmenter] = {}

    def read(text: str, language: str) -> Sequence[str]:
        known = "en" if language == "pt" else language
        found: Sequence[str] = made.setdefault(known, Segmenter(language=known, clean=False)).segment(text)
        return found

    return read


def blingfire() -> Reader:
    """One model for all languages."""
    from blingfire import text_to_sentences

    return lambda text, _: text_to_sentences(text).split("\n")


def sentence_splitter() -> Reader:
    """Knows neither Japanese nor Chinese."""
    from sentence_splitter import SentenceSplitter

    made: dict[str, SentenceSplitter] = {}

    def read(text: str, language: str) -> Sequence[str]:
        known = "en" if language in ("ja", "zh") else language
        found: Sequence[str] = made.setdefault(known, SentenceSplitter(language=known)).split(text)
        return found

    return read


READERS: Mapping[str, tuple[str, Callable[[], Reader]]] = {
    "**sentencex, corrected**": ("sentencex", ours),
    "sentencex alone": ("sentencex", sentencex),
    "pysbd": ("pysbd", pysbd),
    "blingfire": ("blingfire", blingfire),
    "sentence-splitter": ("sentence-splitter", sentence_splitter),
}
"""By name: the distribution, and what makes it."""
TURNS = 20
WITHOUT_SPACES = ("ja", "zh")
NOT_IN_THE_FILE = (
    ("en", "“Why?” asked the boy. “Because I say so.” | He left."),
    ("de", "Es gibt Brot, Käse usw. | Alles ist frisch."),
    ("ru", "Он родился в 1950 г. | Она умерла в 2001 г."),
    ("ja", "「行こう！」「うん。」 | 二人は歩き出した。"),
    ("zh", "“走吧！”“好。” | 他们走了。"),
)
"""What we are known to read otherwise."""


def lines() -> Iterator[tuple[str, str]]:
    """Language and sentences of each text."""
    language = ""
    file = ROOT / "tests" / "provider" / "text" / "sentences.txt"
    for line in file.read_text("utf-8").splitlines()[1:]:
        if line.startswith("# "):
            language = line[2:]
        elif line:
            yield language, line
    yield from NOT_IN_THE_FILE


def installed(distribution: str) -> str | None:
    """Its version, None where it is not installed."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def measured(read: Reader, texts: Sequence[tuple[str, list[str], str]]) -> dict[str, object]:
    """The texts that come out right by language, and the CPU seconds of a text."""
    right: dict[str, int] = {}
    for language, expected, text in texts:
        found = [sentence.strip() for sentence in read(text, language)]
        right[language] = right.get(language, 0) + (found == expected)
    began = time.process_time()
    for _ in range(TURNS):
        for language, _expected, text in texts:
            read(text, language)
    return {"right": right, "cpu": (time.process_time() - began) / TURNS / len(texts)}


def parts(result: Result) -> Mapping[str, str]:
    """A row a library."""
    counts = result.found["texts"]
    rows = [
        [
            name,
            *map(str, found["right"].values()),
            str(sum(found["right"].values())),
            f"{found['cpu'] * 1e6:,.0f} µs",
        ]
        for name, found in result.found["readers"].items()
    ]
    missing = [name for name in READERS if name not in result.found["readers"]]
    shown = table(
        ["", *counts, "all", "CPU a text"],
        ["texts", *map(str, counts.values()), str(sum(counts.values()))],
        *rows,
    )
    left_out = f"\n\nNot measured: {', '.join(missing)}." if missing else ""
    return {"sentences": f"{shown}{left_out}"}


def main() -> None:
    """Read all texts by all libraries."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep the result in it")
    chosen = parser.parse_args()
    measuring = Measuring()
    texts, counts = [], dict[str, int]()
    for language, line in lines():
        sentences = line.split(" | ")
        texts.append((language, sentences, ("" if language in WITHOUT_SPACES else " ").join(sentences)))
        counts[language] = counts.get(language, 0) + 1
    found, versions = {}, {}
    for name, (distribution, made) in READERS.items():
        if there := installed(distribution):
            found[name] = measured(made(), texts)
            versions[distribution] = there
    end(measuring.ended({"texts": counts, "readers": found}, versions), parts, chosen.keep)


if __name__ == "__main__":
    main()
