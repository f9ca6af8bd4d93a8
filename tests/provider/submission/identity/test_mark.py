"""A mark stands after what the author wrote, and tells one submission from all others."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.submission.identity.mark import mark, marked, marks_in

KEY = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"


@pytest.mark.parametrize(
    ("written", "sent"),
    [("about it", "about it [m]"), ("", "[m]"), (" ", "[m]"), (None, "[m]"), (5, 5), (["a"], ["a"])],
)
def test_what_the_author_wrote_stays(written: Any, sent: Any) -> None:
    body = {"note": written, "scenes": []}
    assert marked(body, "note", "[m]") == {"note": sent, "scenes": []}
    assert body["note"] == written


def test_a_field_that_the_author_left_out_holds_the_mark_alone() -> None:
    assert marked({"scenes": []}, "note", "[m]") == {"scenes": [], "note": "[m]"}


@pytest.mark.parametrize("kind", ["storyboard", "render"])
def test_a_mark_is_found_in_a_text_by_its_kind(kind: str) -> None:
    text = f"A [note] {mark('storyboard', KEY)} and {mark('render', KEY)}."
    assert marks_in(text, kind) == [mark(kind, KEY)]


@pytest.mark.parametrize(
    "text", ["", "[vc:s-]", "[vc:s-0f1e]", "[vc:x-0f1e2d3c4b5a6978]", "vc:s-0f1e2d3c4b5a6978"]
)
def test_half_a_mark_is_none(text: str) -> None:
    assert marks_in(text, "storyboard") == []
