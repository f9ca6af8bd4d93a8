"""SSML as espeak-ng gets it."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.emulator.rendering.sound.ssml import read_text


def test_plain_text_is_said_as_it_is_read() -> None:
    text = read_text(" Marks &amp; Spencer ")
    assert (text.said, text.visible, text.is_ssml) == ("Marks & Spencer", "Marks & Spencer", False)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("a <mark name='x'/>b", "a b"),
        ("<speak>a <s>b &amp; c</s></speak>", "a <s>b &amp; c</s>"),
        ("<say-as interpret-as='spell-out'>USA</say-as>", '<say-as interpret-as="characters">USA</say-as>'),
        ("<say-as interpret-as='telephone'>12</say-as>", '<say-as interpret-as="tts:digits">12</say-as>'),
        ("<sub alias='World Wide Web'>WWW</sub>", "World Wide Web"),
        ("<break time='.5s'/>", '<break time="500ms"></break>'),
        ("<prosody volume='-6dB'>a</prosody>", '<prosody volume="50">a</prosody>'),
        ("<prosody pitch='+12st'>a</prosody>", '<prosody pitch="+100%">a</prosody>'),
        ("<emphasis level='strong'>a</emphasis>", '<emphasis level="strong">a</emphasis>'),
        ("<emphasis level='&quot;/>'>a</emphasis>", """<emphasis level='"/&gt;'>a</emphasis>"""),
    ],
)
def test_ssml_that_is_heard(written: str, said: str) -> None:
    text = read_text(written)
    assert text.said == f"<speak>{said}</speak>"
    assert text.left_out == frozenset()


@pytest.mark.parametrize(
    ("written", "left_out"),
    [
        ("<phoneme alphabet='ipa' ph='x'>a</phoneme>", "phoneme"),
        ("<amazon:effect name='whispered'>a</amazon:effect>", "effect"),
        ("<lang xml:lang='de-DE'>a</lang>", "lang"),
        ("<say-as interpret-as='date'>a</say-as>", "say-as date"),
        ("<prosody contour='(0%,+20Hz)'>a</prosody>", "prosody contour"),
        ("a<break time='99s'/>", "breaks beyond 10 s"),
        ("<s>" * 10_000 + "a" + "</s>" * 10_000, "tags within more than 12 others"),
        ("a<break time='soon'/>", "break of 'soon'"),
    ],
)
def test_ssml_that_is_not_heard_is_named_and_its_text_spoken(written: str, left_out: str) -> None:
    text = read_text(written)
    assert text.left_out == {left_out}
    assert text.visible == "a"
    assert "a" in "".join(ElementTree.fromstring(text.said).itertext())


def test_each_letter_is_found_where_it_is_read() -> None:
    text = read_text("<s>One.</s>  <sub alias='you and me'>us</sub> <emphasis>big</emphasis>, wide")
    assert text.visible == "One. us big, wide"
    places = {
        said: text.visible[text.visible_position(text.said.index(said)) :] for said in ("One", "me", "big")
    }
    assert places == {"One": "One. us big, wide", "me": "us big, wide", "big": "big, wide"}


def test_tags_within_a_word_do_not_part_it() -> None:
    assert read_text("un<emphasis>believ</emphasis>able<break/>is it").visible == "unbelievable is it"


PIECES = (
    "<s>",
    "</s>",
    "<break time='1s'/>",
    "<prosody rate='slow'>",
    "</prosody>",
    "&amp;",
    " ",
    "a",
    "ß,",
    "\n",
)


@given(st.lists(st.sampled_from(PIECES)).map("".join) | st.text())
def test_any_text_is_well_formed_and_within_what_is_read(written: str) -> None:
    text = read_text(written)
    if text.is_ssml:
        ElementTree.fromstring(text.said)
        assert len(text.positions) == len(text.said)
        assert list(text.positions) == sorted(text.positions)
    assert all(0 <= text.visible_position(index) <= len(text.visible) for index in range(len(text.said) + 2))


def test_a_value_that_means_nothing_is_named() -> None:
    text = read_text("<prosody rate='quickly' pitch='+10Hz' volume='+6dB'>a</prosody>")
    assert text.left_out == {"prosody rate 'quickly'"}
