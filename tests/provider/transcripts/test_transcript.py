"""Transcripts as people have them: what was said when, or which line is broken."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_video_creation.provider.errors import TranscriptError
from airflow_video_creation.provider.transcripts.cue import Cue
from airflow_video_creation.provider.transcripts.transcript import Transcript, parse_transcript

SRT = "1\n00:00:01,000 --> 00:00:02,500\nHello\nthere\n\n2\n00:00:03,000 --> 00:00:04,000\nagain\n"
HELLO = (Cue(1, 2.5, "Hello there"), Cue(3, 4, "again"))


def read(content: str | bytes, **how: Any) -> Transcript:
    body = content if isinstance(content, bytes) else content.encode()
    return parse_transcript(body, name="https://example.com/talk?key=secret", **how)


def vtt(*cues: str, header: str = "WEBVTT") -> str:
    return "\n\n".join([header, *cues]) + "\n"


def segments(*segments: dict[str, Any], **about: Any) -> str:
    return json.dumps({**about, "segments": segments})


@pytest.mark.parametrize(
    ("content", "cues"),
    [
        (SRT, HELLO),
        (SRT.replace("\n", "\r\n"), HELLO),
        (SRT.replace("\n", "\r"), HELLO),
        (SRT.replace(",", "."), HELLO),
        (f"\ufeff\n\n{SRT}", HELLO),
        (SRT.encode("utf-16"), HELLO),
        (SRT.replace("1\n", "", 1).replace("2\n", "", 1), HELLO),
        (SRT.replace("00:00:04,000", "00:00:04,000 X1:40 X2:600 Y1:20 Y2:50"), HELLO),
        (SRT.replace("there\n", "there\n\n\n"), HELLO),
        (SRT.replace("Hello", "<font color='#ff0'><i>Hello</i></font>"), HELLO),
        (SRT.replace("Hello", "{\\an8}Hello"), HELLO),
        (SRT.replace("again", "in\n1984"), (HELLO[0], Cue(3, 4, "in 1984"))),
        (SRT.replace("again", "a --&gt; b &amp; <b>"), (HELLO[0], Cue(3, 4, "a --> b &"))),
        (vtt("00:01.000 --> 00:02.500\nHello\nthere", "00:03.000 --> 00:04.000\nagain"), HELLO),
        (
            vtt(
                "NOTE from hand",
                "STYLE\n::cue { color: red }",
                "intro\n00:00:01.000 --> 00:00:02.500 align:start position:0%\n<c.loud>Hello</c> there",
                "00:00:03.000 --> 00:00:04.000\nagain",
            ),
            HELLO,
        ),
        (
            vtt("00:01.000 --> 00:02.000\n<v Anna Lee>Fish &amp; chips &lt;3</v>"),
            (Cue(1, 2, "Fish & chips <3", "Anna Lee"),),
        ),
        (
            vtt(
                "00:01.000 --> 00:02.000\n \none<00:01.500><c> two</c>",
                "00:02.000 --> 00:02.010\none two\n ",
                "00:02.010 --> 00:03.000\none two\nthree<00:02.500><c> four</c>",
            ),
            (Cue(1, 2, "one two"), Cue(2.01, 3, "three four")),
        ),
        (
            segments({"speaker": "A", "startTime": 1, "endTime": 2.5, "body": "Hello"}),
            (Cue(1, 2.5, "Hello", "A"),),
        ),
        (segments({"start": "1.0", "end": "2.5", "text": " Hello "}), (Cue(1, 2.5, "Hello"),)),
        (json.dumps([{"start": 1, "end": 2.5, "text": "Hello"}]), (Cue(1, 2.5, "Hello"),)),
        (
            segments({"startTime": 1, "body": "until the next"}, {"startTime": 3, "body": "two words"}),
            (Cue(1, 3, "until the next"), Cue(3, 3.8, "two words")),
        ),
        (
            segments({"start": 5, "end": 9, "text": "later"}, {"start": 1, "end": 7, "text": "earlier"}),
            (Cue(1, 7, "earlier"), Cue(5, 9, "later")),
        ),
        (
            segments({"start": 1, "end": 2, "text": " "}, {"start": 2, "end": 3, "text": "a"}),
            (Cue(2, 3, "a"),),
        ),
        (
            segments(*({"start": start, "end": start, "text": "two words"} for start in (1, 2))),
            (Cue(1, 1.8, "two words"), Cue(2, 2.8, "two words")),
        ),
        (
            segments(
                *({"start": 1, "text": "two words"} for _ in range(2)), {"start": 5, "text": "two words"}
            ),
            (Cue(1, 1.8, "two words"), Cue(1, 5, "two words"), Cue(5, 5.8, "two words")),
        ),
    ],
    ids=[
        "srt",
        "crlf",
        "cr",
        "dots",
        "mark-and-empty-lines-first",
        "utf-16",
        "no-numbers",
        "positions",
        "empty-lines-between",
        "font-tags",
        "substation-tags",
        "a-number-as-text",
        "entities",
        "vtt",
        "vtt-notes-styles-ids-settings",
        "vtt-voice",
        "vtt-rolling-up",
        "json-podcast",
        "json-recogniser",
        "json-list",
        "json-without-ends",
        "unsorted-and-overlapping",
        "empty-cues",
        "cues-without-a-length",
        "json-cues-that-start-together",
    ],
)
def test_what_was_said_when(content: str | bytes, cues: tuple[Cue, ...]) -> None:
    assert read(content).cues == cues


@pytest.mark.usefixtures("nothing_to_finalize")
@pytest.mark.parametrize(
    ("content", "says"),
    [
        (SRT.replace("02,500", "0x,500"), "line 2 is not a pair of times: '00:00:01,000 --> 00:00:0x,500'"),
        (SRT.replace("00:00:03,000 -", "3 -"), "line 7 is not a pair of times"),
        (SRT.replace("00:00:03", "99999:00:03"), "line 7 is not a pair of times"),
        (vtt("00:01.000 --> 00:02\nHello"), "line 3 is not a pair of times"),
        (vtt("00:01.000 --> 00:02.000\na --> b"), "line 4 is not a pair of times: 'a --> b'"),
        (vtt("00:02.000 --> 00:01.000\nHello"), "from 2 s to 1 s, which ends before it starts"),
        (vtt("99:00:01.000 --> 99:00:02.000\nHello"), "at most 24 hours"),
        (f"Subtitles by me\n\n{SRT}", "does not start as SubRip must: its first line is 'Subtitles by me'"),
        ('{"segments": [\n {"start": 1,}]}', "broken JSON in line 2, column"),
        ('{"cues": []}', "has no list 'segments'"),
        (
            segments({"start": 1, "end": 2, "text": "a"}, {"end": 3, "text": "b"}),
            "segment 2 has no startTime",
        ),
        (segments({"start": 1, "end": 2}), "segment 1 has no body"),
        (
            segments({"start": 0, "text": "a"}, {"start": 0, "text": "b"}),
            "no cue has a length, and all start at 0 s",
        ),
        (
            SRT.replace("00:00:02,500", "00:00:01,000").replace(
                "00:00:03,000 --> 00:00:04", "00:00:01,000 --> 00:00:01"
            ),
            "no cue has a length, and all start at 1 s",
        ),
        (segments({"start": True, "text": "a"}), "segment 1 has start='True': it must be a number"),
        ('{"segments": [{"start": NaN, "end": 2, "text": "a"}]}', "from nan s to 2 s"),
        ('{"segments": ["a"]}', "segment 1 is not an object"),
        ("[" * 100_000, "JSON that cannot be read"),
        (segments(), "it has no cue with text"),
        ("WEBVTT\n", "it has no cue with text"),
        ("<html>", "it starts with '<html>'"),
        ("", "is not a transcript with times"),
        (SRT.replace("Hello", "ça").encode("cp1252"), "is not written in utf-8 (line 3)"),
        (b"x" * (10 * 1024 * 1024 + 1), "is larger than 10 MiB"),
    ],
)
def test_what_is_broken_is_named_with_its_line(content: str | bytes, says: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        read(content)
    assert says in str(caught.value)
    assert "https://example.com/talk" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_charset_is_taken_from_the_header_or_from_the_user() -> None:
    content = SRT.replace("again", "ça").encode("cp1252")
    for how in ({"content_type": "text/plain; charset=windows-1252"}, {"encoding": "cp1252"}):
        assert read(content, **how).cues[1].text == "ça"
    with pytest.raises(TranscriptError, match="not a charset for text"):
        read(content, encoding="klingon")
    assert read(SRT, content_type="text/plain; charset=iso-8859-1").cues == HELLO


def test_the_language_is_the_transcripts_own_word_for_it() -> None:
    said = {"start": 1, "end": 2, "text": "a"}
    assert read(segments(said, language="de"), language="en").language == "de"
    assert read(vtt("00:01.000 --> 00:02.000\na", header="WEBVTT\nLanguage: fr-CA")).language == "fr-CA"
    assert read(segments(said, language="<b>"), language="en").language == "en"
    assert read(SRT).language is None


def test_tags_that_are_never_closed_are_read_to_the_end() -> None:
    open_tags = "{\\" * 300_000
    assert read(SRT.replace("Hello", open_tags)).cues[0].text == f"{open_tags} there"


TIMES = st.sampled_from(
    ["00:00:01,000", "00:00:02.500", "00:01.000", "1:2:3,4", "x", "99999999999:00:00,000", "-1"]
)
LINES = st.one_of(
    st.builds("{} --> {}".format, TIMES, TIMES),
    st.sampled_from(
        ["WEBVTT", "1", "2", "", " ", "NOTE a", "STYLE", "<v A>b", "&#0;&#xd800;", "{\\an8}", "a --> b"]
    ),
    st.text(max_size=8),
)


@given(
    st.one_of(
        st.binary(max_size=60),
        st.lists(LINES, max_size=12).map(lambda lines: "\n".join(lines).encode("utf-8", "replace")),
        st.lists(LINES, max_size=9).map(
            lambda lines: "\n".join(["WEBVTT", "", *lines]).encode("utf-8", "replace")
        ),
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(
                        ["segments", "start", "end", "text", "startTime", "body", "speaker", "language"]
                    ),
                    inner,
                    max_size=4,
                )
            ),
            max_leaves=8,
        ).map(lambda value: json.dumps(value).encode()),
    )
)
def test_any_file_is_read_or_refused(body: bytes) -> None:
    try:
        cues = read(body).cues
    except TranscriptError:
        return
    assert list(cues) == sorted(cues, key=lambda cue: cue.start)
    assert all(0 <= cue.start <= cue.end and cue.text.strip() and "\n" not in cue.text for cue in cues)
