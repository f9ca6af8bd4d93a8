import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.emulator.rendering.sound.ssml import (
    read_text,
    shown_as_written,
    visible_text,
)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Plain.", "Plain."),
        ("Hello <break time='1s'/> world.", "Hello world."),
        ("<speak>Hello <emphasis>big</emphasis>, wide world</speak>", "Hello big, wide world"),
        ("<p>AT&amp;T</p>", "AT&T"),
        ("Marks &amp; Spencer", "Marks & Spencer"),
        ("two  spaces &lt;br&gt;  stay", "two  spaces <br>  stay"),
        ('Use &lt;break time="1s"/&gt; <emphasis>here</emphasis>', 'Use <break time="1s"/> here'),
        ("one\ntwo <s>three</s>", "one\ntwo three"),
        ("<amazon:effect name='whispered'>psst</amazon:effect>", "psst"),
    ],
)
def test_a_viewer_sees_what_the_xml_says(text: str, seen: str) -> None:
    assert visible_text(text) == seen


@pytest.mark.parametrize(
    "text",
    [
        "AT&T is 3 < 5 and 7 > 6",
        "a <table> of &amp; content",
        "Marks &amp; Spencer & Sons",
        "<s>AT&T</s>",
        "<s>never closed",
        "a</speak><speak>b",
        '<!DOCTYPE s [<!ENTITY a "aaaa">]><speak>&a;</speak>',
    ],
)
def test_what_is_not_well_formed_is_plain_text(text: str) -> None:
    assert visible_text(text) == text
    assert not read_text(text).is_ssml


@pytest.mark.parametrize(
    ("text", "is_ssml"),
    [
        ("Plain.", False),
        ("Marks &amp; Spencer", False),
        ("Hi <break time='1s'/>", True),
        ("<speak>Hi <s>you</s></speak>", True),
        ("<speak>Hi</speak> you", True),
        ("<amazon:effect name='whispered'>psst</amazon:effect>", True),
    ],
)
def test_only_well_formed_text_with_tags_is_spoken_as_ssml(text: str, is_ssml: bool) -> None:
    assert read_text(text).is_ssml is is_ssml


@given(st.text())
def test_any_text_can_be_looked_at(text: str) -> None:
    visible_text(text)


@given(
    st.lists(st.sampled_from(["AT", "&amp;", "&lt;", "&#233;", "&", "<", " > ", "<b", "/>", "T"])).map(
        "".join
    )
)
def test_where_nothing_is_decoded_a_text_is_seen_as_it_was_sent(text: str) -> None:
    if not read_text(text).is_ssml:
        assert visible_text(shown_as_written(text)) == text.strip()


def test_ssml_is_read_where_nothing_is_decoded() -> None:
    assert visible_text(shown_as_written("Hi <emphasis>you</emphasis>")) == "Hi you"
