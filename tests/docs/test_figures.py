"""What the pages give as measured was written by a command, and is what the command found."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "benchmarks"))

from figures_kept import kept  # noqa: E402
from figures_pages import PART, pages, parts, write_part  # noqa: E402
from figures_table import FIGURES  # noqa: E402

OF_OTHER_COMMANDS = {"matrix": "make test-matrix", "install": "make test-install"}
"""Parts of pages whose results are not kept beside the others' -> who writes them."""
NOT_READ = {
    "reference": "written from the docstrings",
    "project": "CHANGELOG.md and its like, which tell of their own time",
}
"""Folder of docs/ -> why figures in it are not looked for."""
WRITTEN_WHOLE = re.compile(r"^(# .*\n\n)?(?:.*\n){0,8}?.*\bwritten by\s+`make ", re.IGNORECASE)
"""The beginning of a page that a command writes as a whole."""

NUMBER = r"\d[\d,.]*"
TIME_OR_SIZE = r"(?:s|seconds?|min|minutes?|h|hours?|%|[kMG]i?B|times)(?!\w)"
MEASURED_ONLY = re.compile(
    rf"{NUMBER} ?(?:ms|µs|milliseconds?|microseconds?)\b"
    rf"|{NUMBER} ?(?:s|seconds?) of CPU\b|{NUMBER} CPU (?:s|seconds?)\b|{NUMBER} ?% of a core\b"
    rf"|\d+\.\d+ ?{TIME_OR_SIZE}"
    rf"|\bF1 (?:of )?{NUMBER}|{NUMBER} (?:polls|requests|reads|videos)(?: a second|/s|/h)\b"
    r"|\bload average\b|\bcommit [0-9a-f]{7,}\b"
)
"""What a setting or a limit never is: so short, a part of a unit, or of a commit."""
SAID_TO_BE_MEASURED = re.compile(r"\bMeasured\b|\btook (?:\w+ ){0,3}\d")
ANY_FIGURE = re.compile(rf"(?<![\w.-]){NUMBER} ?(?:{TIME_OR_SIZE})")

ADVICE = (
    "No command wrote this figure, so it will be wrong one day. Leave the number out and name the table that has it; "
    "or have a benchmark write it (CONTRIBUTING.md, Figures); or, if it is a setting or a limit and nothing that was "
    "measured, put it into `backticks`."
)


def blanked(text: str, pattern: str | re.Pattern[str]) -> str:
    """Without what the pattern finds, its lines kept."""
    return re.sub(pattern, lambda found: "\n" * found[0].count("\n"), text)


def typed(page: str) -> str:
    """What a person typed as prose: no parts of commands, no code."""
    page = blanked(page, PART)
    page = blanked(page, re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL))
    return blanked(page, r"`[^`\n]*`|\]\([^)\n]*\)")


def figures_in(page: str) -> list[tuple[int, str]]:
    """(line, figure) of all that no command wrote.

    A paragraph that says that it was measured passes this on to the table below it.
    """
    found, measured, line_number = [], False, 0
    for paragraph in re.split(r"\n[ \t]*\n", typed(page)):
        measured = bool(SAID_TO_BE_MEASURED.search(paragraph)) or (
            measured and paragraph.lstrip().startswith("|")
        )
        for line in paragraph.split("\n"):
            line_number += 1
            patterns = (MEASURED_ONLY, ANY_FIGURE) if measured else (MEASURED_ONLY,)
            matches = [match[0].strip() for pattern in patterns for match in pattern.finditer(line)]
            found += [(line_number, match) for match in dict.fromkeys(matches)]
        line_number += 1
    return found


READ = [
    page
    for page in pages()
    if not NOT_READ.keys() & set(page.relative_to(ROOT).parts)
    and not WRITTEN_WHOLE.match(page.read_text("utf-8"))
]


@pytest.mark.parametrize("page", READ, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_figure_was_written_by_a_command(page: Path) -> None:
    found = figures_in(page.read_text("utf-8"))

    assert not found, "\n".join(
        [*(f"{page.relative_to(ROOT)}:{line}: {figure}" for line, figure in found), ADVICE]
    )


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("It takes some 12 ms.", "12 ms"),
        ("A plan needs 0.4 s.", "0.4 s"),
        ("That is 2.9 % of a core.", "2.9 % of a core"),
        ("As of commit 873e615.", "commit 873e615"),
        ("Measured on two cores: 35 minutes.", "35 minutes"),
        ("Measured so:\n\n| a | 31 s |\n|---|---|", "31 s"),
        ("It answers 4,700 polls a second.", "4,700 polls a second"),
    ],
)
def test_a_figure_that_somebody_typed_is_found(text: str, figure: str) -> None:
    assert figure in [found for _, found in figures_in(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Waits for 60 s, then for 15 minutes; an answer may have 2 MiB.",
        "A script may take `20 ms`.",
        "Less than 80 % of its words.",
        "```sh\nsleep 0.2 s\n```",
        "<!-- waiting: begins -->\n\n0.31 ms a poll\n\n<!-- waiting: ends -->\n\nAnd so on.",
    ],
)
def test_a_setting_is_no_figure(text: str) -> None:
    assert figures_in(text) == []


def test_the_line_of_a_figure_is_told() -> None:
    assert figures_in("# A page\n\n```py\n1\n```\n\nIt is\nfast: 3 ms.\n") == [(8, "3 ms")]


@pytest.mark.parametrize("name", FIGURES)
def test_the_pages_say_what_was_found(name: str) -> None:
    result = kept(name)
    assert result, f"benchmarks/results has no {name}.json: run make figures ONLY={name}"
    stands = [part for page in pages() for part in parts(page)]

    for part, text in FIGURES[name].parts(name, result).items():
        texts = [text for other, text in stands if other == part]
        assert texts == [text], f"the part {part} is not as its results say: run make figures-render"
        assert f"{result.date}, commit {result.commit}" in text


def test_a_figure_without_a_place_says_where_to_make_one() -> None:
    with pytest.raises(LookupError, match="put the lines <!-- no-such: begins -->"):
        write_part("no-such", "")


def test_every_part_of_a_page_is_written_by_a_command() -> None:
    results = {name: kept(name) for name in FIGURES}
    written = {
        part for name, result in results.items() if result for part in FIGURES[name].parts(name, result)
    }

    assert {part for page in pages() for part, _ in parts(page)} == written | OF_OTHER_COMMANDS.keys()
