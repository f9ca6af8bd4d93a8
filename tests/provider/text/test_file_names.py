"""A file's name can be seen whole, and every file system takes it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.text.file_names import trouble_with_name, without_invisible
from airflow_video_creation.provider.text.video_name import video_name

HIDING = "\u202e\u2066\u200f\u200b\u200c\u200d\u2060\ufeff\u00ad"
NAMES = st.lists(st.sampled_from([*HIDING, *"aÉ界ی👩.\t \x00", "con", "COM1", "nul"])).map("".join)


@pytest.mark.parametrize("character", [*HIDING, "\x00", "\x1b", "\x85", "\u2028"], ids=ascii)
@pytest.mark.parametrize("name", ["ne{}ws", "{}news", "news{}"])
def test_what_cannot_be_seen_is_named(name: str, character: str) -> None:
    assert trouble_with_name(name.format(character)) == (
        f"{character!r} is not allowed, since it cannot be seen"
    )


@pytest.mark.parametrize("name", ["CON", "con.mp4", "Nul", "NUL .mp4", "COM1", "lpt9.txt", "com¹", "AUX.a.b"])
def test_names_that_windows_keeps_for_devices_are_named(name: str) -> None:
    assert trouble_with_name(name) == f"Windows keeps {name.partition('.')[0].strip()!r} for a device"


@pytest.mark.parametrize("name", ["news.", "news ", "news. .", "..."])
def test_a_name_does_not_end_with_what_windows_drops(name: str) -> None:
    assert trouble_with_name(name) == "it may not end with a space or a dot"


@pytest.mark.parametrize(
    "name",
    [
        "icon",
        "console",
        "con-1",
        "COM10",
        "nu.l",
        "news.mp4",
        "क्\u200dष",
        "👩\u200d💻",
        "❤️",
        "שלום",
        "e\u0301",
    ],
)
def test_other_names_are_as_good_as_any(name: str) -> None:
    assert trouble_with_name(name) is None
    assert without_invisible(name) == name


@given(st.one_of(st.text(), NAMES))
def test_nothing_that_turns_or_hides_a_text_is_left(text: str) -> None:
    seen = without_invisible(text)

    assert without_invisible(seen) == seen
    assert not {unicodedata.bidirectional(character) for character in seen} & {
        *("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    }
    assert not any(character in HIDING.replace("\u200c", "").replace("\u200d", "") for character in seen)
    assert set(seen) <= set(text)


@given(st.one_of(st.text(), NAMES))
def test_the_name_that_an_article_gives_a_video_is_no_trouble(title: str) -> None:
    assert trouble_with_name(video_name(title, "https://example.com/a")) is None


@pytest.mark.parametrize("mark", ["\u200b", "\u200c", "é\u200c", "\u200b\u200c"], ids=ascii)
def test_a_title_of_very_many_of_them_is_read_to_its_end(mark: str) -> None:
    assert "\u200b" not in without_invisible(f"a{mark * 200_000}b")


def test_a_soft_hyphen_of_a_title_divides_no_word_of_the_name() -> None:
    assert video_name("Zusam\u00admen", "https://a.example").startswith("zusammen-")
