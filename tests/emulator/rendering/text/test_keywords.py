"""Which words are highlighted when keywords are asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.emulator.rendering.text.keywords import keywords_of


@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        (
            "The city of Lindental plants 10,000 trees before winter – a café owner says it costs €5 million.",
            {"Lindental", "10,000", "€5", "million"},
        ),
        ("However, the mayor told Anna Berger that nothing changes.", {"Anna", "Berger", "changes"}),
        ("Because of that they went through.", set()),
        (
            "Die Stadt pflanzt zehntausend Bäume. Das kostet 5 Millionen Euro, sagt Frau Müller.",
            {"zehntausend", "5", "Millionen", "pflanzt"},
        ),
        ("Die Größe überrascht: viele Bürgermeisterinnen und der Rat.", {"Bürgermeisterinnen", "überrascht"}),
        ("Growth of 12% surprised the EU and everyone else in it.", {"12%", "EU"}),
        ("Hello", set()),
        ("", set()),
    ],
)
def test_numbers_names_and_long_words(text: str, keywords: set[str]) -> None:
    assert keywords_of(text) == keywords


@given(st.text(max_size=200))
def test_they_are_words_of_the_text_and_few(text: str) -> None:
    keywords = keywords_of(text)
    assert all(keyword and keyword in text for keyword in keywords)
    assert keywords_of(text) == keywords
