"""A night whose scripts were not used is told from one whose scripts were."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.scripts.unused_scripts import MAX_REASON, unused_scripts


def of(video_of: str, reason: str = "") -> dict[str, Any]:
    return {"storyboard": {}, "metadata": {"script": {"video_of": video_of, "reason": reason}}}


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ([], ""),
        ([of("script"), of("rest of the script")], ""),
        (
            [of("script"), of("article", "The answer of the model is no script:\n  - scenes: is required")],
            "1 of 2 scripts was not used, and the article's own text was read (The answer of the model is no script: "
            "- scenes: is required).",
        ),
        (
            [of("article"), of("article", "Another.")],
            "2 of 2 scripts were not used, and the article's own text was read.",
        ),
    ],
)
def test_it_says_how_many_and_why_the_first(made: list[Any], told: str) -> None:
    assert unused_scripts(made) == told


def test_a_long_reason_is_cut() -> None:
    assert len(unused_scripts([of("article", "word " * 900)])) < MAX_REASON + 100


@given(
    st.lists(
        st.recursive(
            st.none() | st.text(), lambda inner: st.dictionaries(st.text(), inner, max_size=3), max_leaves=5
        ),
        max_size=5,
    )
)
def test_what_others_returned_is_passed_over(made: list[Any]) -> None:
    assert unused_scripts(made) == ""
