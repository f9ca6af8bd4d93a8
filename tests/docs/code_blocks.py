"""The code blocks of the README and of the docs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One block, and how many blocks of its page stand above it."""

    page: str
    number: int
    language: str
    text: str

    @property
    def name(self) -> str:
        """What a person finds the block by."""
        return f"{self.page}-{self.number + 1}"

    @property
    def dag_id(self) -> str | None:
        """Of the DAG that the block makes as it stands; None for a part of a file."""
        made = re.search(r'^with DAG\(\s*"(\w+)"|^(\w+)\(\)$', self.text, re.MULTILINE)
        return (made[1] or made[2]) if made and "from airflow.sdk import" in self.text else None

    def is_told_by(self, page: str, words: str) -> bool:
        """Whether it is the block of this page that holds these words."""
        return self.page == page and words in self.text


BLOCKS = [
    Block(str(page.relative_to(ROOT)), number, language, dedent(text))
    for page in PAGES
    for number, (_, language, text) in enumerate(FENCE.findall(page.read_text("utf-8")))
]


def blocks(language: str) -> list[Block]:
    """All in one language."""
    return [block for block in BLOCKS if block.language == language]


def block(page: str, words: str, language: str | None = None) -> str:
    """The text of the only block of a page that holds these words."""
    [found] = [
        block for block in BLOCKS if block.is_told_by(page, words) and language in (None, block.language)
    ]
    return found.text


def not_told(language: str, told: set[tuple[str, str]]) -> list[str]:
    """The blocks that no pair of page and words names."""
    return [b.name for b in blocks(language) if not any(b.is_told_by(*pair) for pair in told)]
