"""A font that is broken in places is used as far as it goes."""

import io

import fontpkg
from fontTools.ttLib import TTFont

from airflow_video_creation.emulator.rendering.text.font_stack import FontStack
from airflow_video_creation.emulator.rendering.text.text_block import set_text
from airflow_video_creation.emulator.rendering.text.typeface import Typeface

SOURCE = fontpkg.path("Roboto Mono").read_bytes()


def content(font: TTFont) -> bytes:
    file = io.BytesIO()
    font.save(file)
    return file.getvalue()


def test_a_letter_whose_outline_is_broken_is_taken_from_another_font() -> None:
    font = TTFont(io.BytesIO(SOURCE))
    name = font.getBestCmap()[ord("z")]
    start, length = font["loca"][font.getGlyphID(name)], 40
    place = font.reader.tables["glyf"].offset + start
    broken = Typeface(SOURCE[:place] + b"\x7f\xff" * (length // 2) + SOURCE[place + length :])
    assert broken.has("a")
    assert not broken.has("z")
    block = set_text("a zebra", 40, FontStack(broken, 400), 400, 100)
    assert block.lines == ("a zebra",)


def test_a_font_that_lies_about_its_height_is_drawn_on_the_panel() -> None:
    font = TTFont(io.BytesIO(SOURCE))
    font["hhea"].ascent, font["OS/2"].sTypoAscender = 30_000, 30_000
    block = set_text("Trees", 40, FontStack(Typeface(content(font)), 400), 400, 100, overhang=10)
    assert block.pixels == 40
    assert 20 < block.baseline(0) < block.height
