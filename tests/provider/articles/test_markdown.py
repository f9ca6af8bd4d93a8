"""A Markdown file as it is read aloud."""

from __future__ import annotations

import pytest

from airflow_video_creation.provider.articles.markdown import words_of_markdown


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("# The ferry #\nIt **crosses** the *bay*.", "The ferry\nIt crosses the bay."),
        ("The ferry\n=========\n\nIt crosses\nthe bay.", "The ferry\nIt crosses the bay."),
        ('---\ntitle: "The ferry"\ndate: 2026-01-01\n---\nIt crosses.', "The ferry\nIt crosses."),
        ("---\ntitle: The ferry\n---\n# The ferry\n\nIt crosses.", "The ferry\nIt crosses."),
        (
            "See [the bay](https://example.com/a_(b)) and [this][1].\n\n[1]: https://example.com",
            "See the bay and this.",
        ),
        ("![a picture](a.png)[![a](b.png)](https://example.com)Words", "Words"),
        ("- one\n- [x] two\n1. three\n\n> four\n> five", "one\ntwo\nthree\nfour five"),
        ("Before\n\n```python\nprint(1)\n```\n\nAfter `all`", "Before\nAfter all"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n\nText[^1]<br><!-- no -->", "Text"),
        ("snake_case_name, 2 * 3 * 4 and \\*not bold\\*", "snake_case_name, 2 * 3 * 4 and *not bold*"),
        ("Windows\r\n\r\nline ends", "Windows\nline ends"),
    ],
)
def test_the_words_stay_and_the_signs_go(written: str, read: str) -> None:
    assert words_of_markdown(written) == read
