import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.emulator.rendering.ssml import has_ssml, visible_text, well_formed_ssml


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Plain.", "Plain."),
        ("Hello <break time='1s'/> world.", "Hello world."),
        ("<speak>Hello <emphasis>big</emphasis>, wide world</speak>", "Hello big, wide world"),
        ("<p>AT&amp;T</p>", "AT&T"),
        ("AT&T is 3 < 5 and 7 > 6", "AT&T is 3 < 5 and 7 > 6"),
        ("a <table> of &amp; content", "a <table> of &amp; content"),
        ("one\ntwo <s>three</s>", "one\ntwo three"),
    ],
)
def test_a_viewer_sees_text_without_tags(text: str, seen: str) -> None:
    assert visible_text(text) == seen


@pytest.mark.parametrize(
    ("text", "document"),
    [
        ("Plain.", None),
        ("Hi <break time='1s'/>", "<speak>Hi <break time='1s'/></speak>"),
        ("<speak>Hi <s>you</s></speak>", "<speak>Hi <s>you</s></speak>"),
        ("<s>never closed", None),
        ("<s>AT&T</s>", None),
        ("<amazon:effect name='whispered'>psst</amazon:effect>",) * 2,
    ],
)
def test_only_well_formed_ssml_is_spoken_as_such(text: str, document: str | None) -> None:
    expected = f"<speak>{document}</speak>" if document and not document.startswith("<speak") else document
    assert well_formed_ssml(text) == expected


def test_entities_cannot_be_declared() -> None:
    assert well_formed_ssml('<!DOCTYPE s [<!ENTITY a "aaaa">]><speak>&a;</speak>') is None


@given(st.text())
def test_any_text_can_be_looked_at(text: str) -> None:
    seen = visible_text(text)
    assert has_ssml(text) or seen == text.strip()
    well_formed_ssml(text)
