"""What is written for people reads as if a native speaker had said it."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

WRITE_INSTEAD = {
    r"anew": "again",
    r"shall": "will, must, or the plain present tense",
    r"borne": "tolerated",
    r"bears? (?:it|them|this|that|an?|the)": "tolerates",
    r"be it (?:that|by|as|in|on|a|the)": "whether",
    r"(?:there|here|where)(?:of|in|by|upon|from|to)\b(?<!thereto)(?<!hereto)": "of it, in it, by which ...",
    r"(?<!relied )(?<!rely )upon": "on, or when",
    r"hence(?:forth)?|thus": "so",
    r"likewise": "the same, or too",
    r"moreover|furthermore": "also, or a new sentence",
    r"albeit|lest|whilst|amongst": "although, so that ... not, while, among",
    r"in the place of|in (?:its|his|their) place": "instead of, instead",
    r"(?:go|goes|going|gone|went) on from": "resume from",
    r"leaves? (?:it|them|the \w+) away": "leave out",
    r"out of time": "timed out",
    r"of late": "recently",
    r"so (?:many|much|long) at most": "at most that many",
    r"(?:is|was|are|were) nobody's": "say who owns it",
    r"and the like|or the like": "and similar, or name them",
    r"as ever": "as before",
    r"be had": "say where it comes from",
    r"of (?:his|her) own accord": "by itself",
    r"clears? (?:its|their) rests? away|(?:its|their) rests": "what is left",
    r"of before": "earlier",
    r"for good": "permanently",
    r"else they|else it": "otherwise",
    r"stands? (?:in(?! for)|on|at|under|beside|behind|above|below|before|there|here)": "is in, is at ...",
    r"stood (?:in|on|at|under|there|here)": "was in ...",
    r"tells? of": "says that, reports",
    r"the one that is behind": "the older one",
    r"also (?:if|when|where|after|for|without|with)": "even if, or too",
    r"what (?:comes|came|goes) (?:after|before|behind) it": "the next task, the task before",
}
"""What reads as translated, and what to write instead. A word or phrase as a regular expression."""

WRONG = re.compile("|".join(rf"\b(?:{words})\b" for words in WRITE_INSTEAD), re.IGNORECASE)
MOST_WORDS = 40
"""In one sentence of prose."""

GENERATED = {"docs/reference/fields.md", "docs/measured/faults.md"}
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted(page for page in (ROOT / "docs").rglob("*.md") if str(page.relative_to(ROOT)) not in GENERATED),
]
OTHERS = {"benchmarks", "build", "docs", "tests"}
SOURCES = sorted(
    file
    for folder in ROOT.iterdir()
    if folder.is_dir() and folder.name not in OTHERS and not folder.name.startswith(".")
    for file in folder.rglob("*.py")
)
SCREENS = sorted(
    file
    for kind in ("html", "js")
    for package in ("plugin", "emulator")
    for file in (ROOT / package).rglob(f"*.{kind}")
)


def name(file: Path) -> str:
    return str(file.relative_to(ROOT))


def prose(page: Path) -> str:
    """The page without code, link targets and directives, with its lines kept."""
    text = page.read_text("utf-8")
    text = re.sub(r"^```.*?^```$", lambda code: "\n" * code[0].count("\n"), text, flags=re.M | re.S)
    return re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`\n]*`", "`code`", text))


def said(file: Path) -> Iterator[tuple[int, str]]:
    """Line and text of each text and comment of a Python file."""
    text = file.read_text("utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, " ".join(node.value.split())
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def found(text: str) -> list[str]:
    return [f"{match[0]!r}: write {_instead(match[0])}" for match in WRONG.finditer(text)]


def _instead(wrong: str) -> str:
    return next(by for words, by in WRITE_INSTEAD.items() if re.search(words, wrong, re.IGNORECASE))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_reads_as_plain_english(page: Path) -> None:
    lines = enumerate(prose(page).splitlines(), 1)
    assert [f"line {number}: {wrong}" for number, line in lines for wrong in found(line)] == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_sentence_of_a_page_is_too_long(page: Path) -> None:
    items = re.split(r"\n\s*\n|^\s*(?:[-*>]|\d+\.|\|.*)\s", prose(page), flags=re.MULTILINE)
    sentences = [each for item in items for each in re.split(r"(?<=[.!?:;])\s+", " ".join(item.split()))]
    assert [each for each in sentences if len(each.split()) > MOST_WORDS] == []


def test_docstrings_messages_and_comments_read_as_plain_english() -> None:
    wrong = [
        f"{name(file)}:{line}: {each}"
        for file in SOURCES
        for line, text in said(file)
        for each in found(text)
    ]
    assert wrong == []


def test_screens_read_as_plain_english() -> None:
    wrong = [
        f"{name(file)}:{number}: {each}"
        for file in SCREENS
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        for each in found(line)
    ]
    assert wrong == []
