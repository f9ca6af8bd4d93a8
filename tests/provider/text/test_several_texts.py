"""A list that became text is a list again; else each line is one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.text.several_texts import several_texts


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("['https://a.example', 'https://b.example']", ["https://a.example", "https://b.example"]),
        ('["https://a.example"]', ["https://a.example"]),
        ("https://a.example\n\n  https://b.example \n", ["https://a.example", "https://b.example"]),
        ("http://[::1]/a", ["http://[::1]/a"]),
        ("[]", []),
        ("", []),
        ("[1]", None),
        ("[https://a.example]", None),
        ("[" * 5000 + "]" * 5000, None),
        ("[open('/etc/passwd')]", None),
    ],
)
def test_a_text_is_a_list_or_lines(text: str, texts: list[str] | None) -> None:
    assert several_texts(text) == texts


@given(st.lists(st.text()))
def test_what_jinja_makes_of_a_list_is_that_list(texts: list[str]) -> None:
    assert several_texts(str(texts)) == texts


@given(st.text())
def test_no_text_raises(text: str) -> None:
    several_texts(text)
