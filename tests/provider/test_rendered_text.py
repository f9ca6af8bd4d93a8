"""What a template renders of a value that is not there is told from a value."""

from __future__ import annotations

from typing import Any

import pytest

from airflow_video_creation.provider.rendered_text import is_none, is_nothing


@pytest.mark.parametrize(
    ("value", "none", "nothing"),
    [
        (None, True, True),
        ("None", True, True),
        (" None ", True, True),
        ("", False, True),
        ("  ", False, True),
        ("none", False, False),
        ("None.mp4", False, False),
        (0, False, False),
        (False, False, False),
        ([], False, False),
    ],
)
def test_only_the_rendered_none_is_none(value: Any, none: bool, nothing: bool) -> None:
    assert (is_none(value), is_nothing(value)) == (none, nothing)
