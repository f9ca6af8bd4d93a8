"""Texts split into further scenes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.emulator.rendering.film.scene_split import split_text
from airflow_video_creation.emulator.rendering.sound.ssml import is_well_formed, read_text, visible_text


def split(
    text: str, language: str = "en-US", on_new_line: bool = False, on_period: bool = False
) -> list[str]:
    return split_text(text, on_new_line=on_new_line, on_period=on_period, language=language)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two. Three", ["One.", "Two.", "Three"]),
        ("Dr. Chen paid 3.5 million. Done.", ["Dr. Chen paid 3.5 million.", "Done."]),
        (
            "Trees, e.g. oaks, help. So does the U.S. forest.",
            ["Trees, e.g. oaks, help.", "So does the U.S. forest."],
        ),
        ("He said: “One.” Two.", ["He said: “One.”", "Two."]),
        ("Really? Yes! Good.", ["Really? Yes! Good."]),
        ("你好。再见。", ["你好。", "再见。"]),
        ("One.\nTwo.", ["One.", "Two."]),
        ("one\ntwo", ["one\ntwo"]),
        ("...", ["..."]),
        ("", [""]),
        ("Marks & Spencer. Two.", ["Marks & Spencer.", "Two."]),
    ],
)
def test_at_periods(text: str, parts: list[str]) -> None:
    assert split(text, on_period=True) == parts


@pytest.mark.parametrize(
    ("text", "language", "parts"),
    [
        ("M. Dupont arrive. Il part.", "fr-FR", ["M. Dupont arrive.", "Il part."]),
        ("J. K. Rowling wrote. Done.", "zz", ["J. K. Rowling wrote.", "Done."]),
    ],
)
def test_a_letter_by_itself_ends_no_sentence(text: str, language: str, parts: list[str]) -> None:
    assert split(text, language, on_period=True) == parts


def test_at_periods_of_another_language() -> None:
    text = "Am 3. Mai kam Dr. Meier z. B. nach Berlin. Dann ging er."
    assert split(text, "de-DE", on_period=True) == [
        "Am 3. Mai kam Dr. Meier z. B. nach Berlin.",
        "Dann ging er.",
    ]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Still one.\nTwo", ["One. Still one.", "Two"]),
        ("One\r\n\r\n  Two\n", ["One", "Two"]),
        ("<s>One\nTwo</s>", ["<s>One\n</s>", "<s>Two</s>"]),
        ("<emphasis>One\nTwo</emphasis>\nThree", ["<emphasis>One\nTwo</emphasis>", "Three"]),
    ],
)
def test_at_new_lines(text: str, parts: list[str]) -> None:
    assert split(text, on_new_line=True) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("<speak>One. Two.</speak>", ["<speak>One. </speak>", "<speak>Two.</speak>"]),
        ("<s>One.</s><s>Two.</s>", ["<s>One.</s>", "<s>Two.</s>"]),
        ('<p><s x="a>b">One. Two.</s></p>', ['<p><s x="a>b">One. </s></p>', '<p><s x="a>b">Two.</s></p>']),
        ("One. <break time='1s'/> Two.", ["One. <break time='1s'/>", "Two."]),
        (
            "<prosody rate='slow'>One. Two.</prosody> Three.",
            ["<prosody rate='slow'>One. Two.</prosody>", "Three."],
        ),
        ("<emphasis>One.</emphasis> Two.", ["<emphasis>One.</emphasis>", "Two."]),
        ("One. <emphasis>Two.</emphasis>", ["One.", "<emphasis>Two.</emphasis>"]),
        ("Ask <sub alias='doctor'>Dr.</sub> Chen. Two.", ["Ask <sub alias='doctor'>Dr.</sub> Chen.", "Two."]),
        ("Marks &amp; Spencer. Two.", ["Marks &amp; Spencer.", "Two."]),
        ('<p>One.<s x="a/>b">Two.</s></p>', ["<p>One.</p>", '<p><s x="a/>b">Two.</s></p>']),
        ("One. <!-- Not. Read. --> Two.", ["One. <!-- Not. Read. -->", "Two."]),
        ("One.<break time='1s'/>", ["One.<break time='1s'/>"]),
    ],
)
def test_ssml_survives(text: str, parts: list[str]) -> None:
    assert split(text, on_period=True) == parts


WORDS = st.sampled_from(
    ["One.", " two ", "Dr. ", "3.5", "\n", "<break/>", "<s>", "</s>", "<p>", "</p>", "&amp;", "<b>", "</b>"]
)


@given(st.lists(WORDS, max_size=14).map("".join), st.booleans(), st.booleans())
def test_nothing_is_lost_and_parts_are_as_well_formed_as_the_whole(
    text: str, on_new_line: bool, on_period: bool
) -> None:
    parts = split(text, on_new_line=on_new_line, on_period=on_period)
    assert "".join("".join(map(visible_text, parts)).split()) == "".join(visible_text(text).split())
    if is_well_formed(text):
        assert all(map(is_well_formed, parts))
        assert any(read_text(part).is_ssml for part in parts) == read_text(text).is_ssml
    if len(parts) > 1:
        assert all(map(visible_text, parts))
