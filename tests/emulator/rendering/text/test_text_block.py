import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airflow_video_creation.emulator.rendering.text.font_families import typeface_of_family
from airflow_video_creation.emulator.rendering.text.font_stack import FontStack
from airflow_video_creation.emulator.rendering.text.text_block import set_text

FONTS = FontStack(typeface_of_family("Noto Sans", 400), 400)

SENTENCE = "The city council voted on Tuesday to plant ten thousand trees – a café owner says it costs €5."


def test_short_text_stands_in_one_line_at_the_size_asked_for() -> None:
    block = set_text("Hello", 40, FONTS, 1000, 500)
    assert block.lines == ("Hello",)
    assert block.pixels == 40


def test_long_text_wraps_into_lines_of_even_length() -> None:
    block = set_text(SENTENCE, 40, FONTS, 900, 500)
    assert " ".join(block.lines) == SENTENCE
    widths = [FONTS.width(line, block.pixels) for line in block.lines]
    assert max(widths) <= 900
    assert min(widths) > 0.6 * max(widths)


def test_no_line_begins_with_a_dash() -> None:
    for width in range(200, 900, 50):
        assert not any(line.startswith("–") for line in set_text(SENTENCE, 40, FONTS, width, 800).lines)


def test_text_shrinks_until_it_fits() -> None:
    block = set_text(SENTENCE * 5, 40, FONTS, 600, 300)
    assert block.pixels < 40
    assert block.height <= 300
    assert not block.is_cut


def test_text_that_no_size_fits_is_cut_with_a_sign() -> None:
    block = set_text(SENTENCE * 200, 40, FONTS, 300, 100)
    assert block.is_cut
    assert block.lines[-1].endswith("…")
    assert block.height <= 100


def test_a_word_longer_than_a_line_is_broken() -> None:
    block = set_text("Donaudampfschifffahrtsgesellschaft" * 3, 40, FONTS, 300, 500)
    assert all(FONTS.width(line, block.pixels) <= 300 for line in block.lines)


def test_line_ends_of_the_text_are_kept() -> None:
    assert set_text("One\nTwo\n\nThree", 40, FONTS, 900, 500).lines == ("One", "Two", "Three")


@pytest.mark.parametrize("weight", [400, 900])
def test_heavier_letters_are_wider(weight: int) -> None:
    light, heavy = (FontStack(FONTS.first, weight) for weight in (100, weight))
    assert set_text("Weight", 40, heavy, 900, 500).width > set_text("Weight", 40, light, 900, 500).width


@settings(max_examples=60, deadline=None)
@given(
    text=st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=200),
    pixels=st.integers(1, 200),
    width=st.integers(60, 800),
    height=st.integers(20, 600),
)
def test_text_never_leaves_its_room(text: str, pixels: int, width: int, height: int) -> None:
    block = set_text(text, pixels, FONTS, width, height)
    assert block.width <= width
    assert block.height <= max(height, block.line_height)
