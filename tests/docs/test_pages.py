"""Nothing that a reader looks for is left out, and what the pages lean on is there."""

from __future__ import annotations

import ast
import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

from airflow_video_creation.provider.message_lines import WIDTH, sentences

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
REFERENCE = "\n".join(page.read_text("utf-8") for page in (DOCS / "reference" / "python").glob("*.md"))
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)(?:#([^)]*))?\)")


def public_names() -> Any:
    spec = importlib.util.spec_from_file_location("public_names", ROOT / "tests" / "test_public_names.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.ARGUMENTS


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", public_names())
def test_a_public_name_is_in_the_reference(name: str) -> None:
    assert f":: airflow_video_creation.{name}\n" in REFERENCE


def test_every_example_has_a_page() -> None:
    examples = {path.stem for path in (ROOT / "example_dags").glob("*.py")} - {"__init__", "first_video"}
    assert {path.stem for path in (DOCS / "pipelines").glob("*.md")} - {"index"} == examples


def rows(page: str) -> list[list[str]]:
    """The cells of all tables of a page, without links and without the heads."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", (DOCS / page).read_text("utf-8"))
    tables = re.findall(r"^\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for table in tables
        for line in table.splitlines()
    ]


HELD = rows("measured/who-holds-it.md")


def test_each_row_of_what_happens_is_held() -> None:
    assert [row[:2] for row in rows("operate/what-happens-when.md")] == [row[:2] for row in HELD]


@pytest.mark.parametrize("row", HELD, ids=lambda row: row[0][:50])
def test_what_holds_a_row_is_there(row: list[str]) -> None:
    tables = (ROOT / "tests" / "system" / "scenarios").glob("*table.py")
    scenarios = "".join(table.read_text("utf-8") for table in tables)
    assert all(row)
    for scenario in re.findall(r"`kill:([\w-]+)`", row[2]):
        assert f'Scenario("{scenario}"' in scenarios
    for test in re.findall(r"`(tests/[^`]+)`", row[2]):
        assert (ROOT / test).is_file()


def test_the_log_says_what_the_page_tells_you_to_look_for() -> None:
    nodes = [
        node
        for folder in ("hooks", "operators", "provider", "triggers")
        for file in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
    ]
    said = "\n".join(
        node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    quoted = [words for row in HELD for words in re.findall(r'"([^"]+)"', row[0])]
    assert quoted
    assert [words for words in quoted if words not in said] == []


def test_messages_are_shown_in_lines_as_the_log_has_them() -> None:
    blocks = re.findall(
        r"^```text\n(.*?)^```", (DOCS / "operate" / "errors.md").read_text("utf-8"), re.M | re.S
    )
    lines = [line for block in blocks for line in block.splitlines()]
    assert lines
    assert [line for line in lines if len(line) > WIDTH or len(list(sentences(line))) > 1] == []


def test_the_readmes_links_lead_somewhere() -> None:
    for target, anchor in LINK.findall((ROOT / "README.md").read_text("utf-8")):
        page = ROOT / target
        assert page.exists(), target
        assert not anchor or anchor in anchors(page), f"{target}#{anchor}"


def test_the_readme_can_be_read_at_one_sitting() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").split()) <= 700
