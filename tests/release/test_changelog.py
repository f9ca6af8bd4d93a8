"""What CHANGELOG.md says of versions."""

from __future__ import annotations

from datetime import date

import pytest

from airflow_video_creation.release.changelog import (
    ReleaseError,
    Section,
    dated,
    newest_released,
    to_release,
)

TEXT = """# Changes

## 0.2.0 (not yet released)

- New.

## 0.1.0 (2026-11-22)

The first.
"""


def test_the_first_section_is_released_next() -> None:
    assert to_release(TEXT) == Section("0.2.0", None, "- New.")


def test_the_one_below_was_released_last() -> None:
    assert newest_released(TEXT) == Section("0.1.0", date(2026, 11, 22), "The first.")


def test_a_release_dates_its_heading() -> None:
    released = dated(TEXT, "0.2.0", date(2026, 12, 1))

    assert newest_released(released) == Section("0.2.0", date(2026, 12, 1), "- New.")
    assert released.replace("2026-12-01", "not yet released") == TEXT


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("# Changes\n", "start the next version"),
        (TEXT.replace("(not yet released)", "(2026-12-01)"), "start the next version"),
        (TEXT.replace("0.2.0", "next"), "is not a version"),
        (TEXT.replace("- New.\n", ""), "says nothing about 0.2.0"),
        (TEXT.replace("2026-11-22", "soon"), "has no date"),
        (TEXT + "\n## Older\n", "neither"),
    ],
)
def test_what_cannot_be_released_says_why(text: str, told: str) -> None:
    with pytest.raises(ReleaseError, match=told):
        to_release(text)


def test_only_the_first_section_may_be_open() -> None:
    with pytest.raises(ReleaseError, match="only the first"):
        newest_released(TEXT.replace("2026-11-22", "not yet released"))
