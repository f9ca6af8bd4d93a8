"""Plain text and SSML are told apart, and escaped text is read back as it was."""

from __future__ import annotations

from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.text.markup import is_ssml, unescaped
from airflow_video_creation.provider.text.readable_text import readable


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("AT&amp;T", "AT&T"),
        ("1 &lt; 2 &gt; 0", "1 < 2 > 0"),
        ("&quot;a&quot; &#233; &#x20AC;", '"a" é €'),
        ("&amp;amp;", "&amp;"),
        ("AT&T", "AT&T"),
        ("Rock & roll &amp; more", "Rock & roll &amp; more"),
        ("a &copy; b", "a &copy; b"),
        ("<p>AT&amp;T</p>", "<p>AT&amp;T</p>"),
        ('<break time="1s"/>AT&amp;T', '<break time="1s"/>AT&amp;T'),
        ("&lt;b&gt;bold&lt;/b&gt;", None),
        ("", ""),
    ],
)
def test_what_a_text_says_without_escapes(text: str, plain: str | None) -> None:
    assert unescaped(text) == plain


@given(st.text())
def test_what_was_escaped_is_read_back_unless_it_would_be_ssml(text: str) -> None:
    text = readable(text)
    assert unescaped(escape(text)) == (None if is_ssml(text) else text)
