import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.emulator.rendering.text.caption_lines import captions_of


@pytest.mark.parametrize(
    ("text", "captions"),
    [
        ("", []),
        (" \n", []),
        ("One.\nTwo.", ["One. Two."]),
        (
            "Volunteers have dug the holes since March. They cost five million euros and a great deal of work.",
            [
                "Volunteers have dug the holes since March.",
                "They cost five million euros|and a great deal of work.",
            ],
        ),
        (
            "The first oaks go to the river bank, where volunteers have dug the holes since early March. They "
            "cost five million euros.",
            [
                "The first oaks go to the river bank,",
                "where volunteers have dug|the holes since early March.",
                "They cost five million euros.",
            ],
        ),
    ],
)
def test_captions_end_where_phrases_end(text: str, captions: list[str]) -> None:
    assert ["|".join(caption.lines) for caption in captions_of(text)] == captions


def test_text_without_spaces_is_cut_after_its_punctuation() -> None:
    sentence = "城市种植一万棵树\uff0c第一批橡树种在河岸上\u3002"
    captions = captions_of(sentence * 6)
    assert "".join("".join(caption.lines) for caption in captions) == sentence * 6
    assert all(caption.lines[-1][-1] in "\uff0c\u3002" for caption in captions)


@given(st.text(st.sampled_from("abcdefgh   .,!\n\u3002城"), max_size=600))
def test_every_word_is_in_a_caption_of_two_short_lines(text: str) -> None:
    captions = captions_of(text)
    assert "".join("".join(caption.lines) for caption in captions).replace(" ", "") == "".join(text.split())
    assert all(len(caption.lines) <= 2 for caption in captions)
    assert all(0 < len(line) <= 42 for caption in captions for line in caption.lines)
    assert all(text[caption.start] == caption.lines[0][0] for caption in captions)
    starts = [caption.start for caption in captions]
    assert starts == sorted(set(starts))
