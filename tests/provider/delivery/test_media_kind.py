"""Each file is known by its content, so that an error page is never delivered as subtitles or a picture."""

from __future__ import annotations

import pytest

from airflow_video_creation.provider.delivery.media_kind import SUBTITLES, THUMBNAIL, VIDEO, MediaKind, beside

SRT, VTT = SUBTITLES["srt"], SUBTITLES["vtt"]
CUE = "1\n00:00:00,000 --> 00:00:02,500\nHello.\n"
HTML = "<!DOCTYPE html>\n<!-- gone --><html>Not here</html>"


@pytest.mark.parametrize(
    ("kind", "content", "ending"),
    [
        (SRT, CUE.encode(), ".srt"),
        (SRT, CUE.encode("utf-8-sig"), ".srt"),
        (SRT, CUE.encode("utf-16"), ".srt"),
        (SRT, CUE.encode("latin-1"), ".srt"),
        (SRT, HTML.encode(), None),
        (SRT, b'{"message": "no"}', None),
        (SRT, b"", None),
        (VTT, b"WEBVTT\n", ".vtt"),
        (VTT, b"\xef\xbb\xbfWEBVTT - title\n", ".vtt"),
        (VTT, CUE.encode(), None),
        (VTT, b" \n", None),
        (THUMBNAIL, b"\xff\xd8\xff\xe0", ".jpg"),
        (THUMBNAIL, b"\x89PNG\r\n\x1a\n", ".png"),
        (THUMBNAIL, b"RIFF\x00\x00\x00\x00WEBPVP8 ", ".webp"),
        (THUMBNAIL, b"RIFF\x00\x00\x00\x00WAVEfmt ", None),
        (THUMBNAIL, HTML.encode(), None),
        (THUMBNAIL, b"", None),
        (VIDEO, b"\0\0\0\x0cftypisom", ".mp4"),
        (VIDEO, HTML.encode(), None),
    ],
)
def test_the_ending_of_a_content(kind: MediaKind, content: bytes, ending: str | None) -> None:
    assert kind.ending(content) == ending


@pytest.mark.parametrize(
    ("destination", "expected"),
    [
        ("/videos/news.mp4", "/videos/news.srt"),
        ("s3://aws@bucket/news.MP4", "s3://aws@bucket/news.srt"),
        ("/videos/news.srt", "/videos/news.srt.srt"),
        ("/videos/v1.2", "/videos/v1.2.srt"),
    ],
)
def test_a_name_beside_never_replaces_the_video(destination: str, expected: str) -> None:
    assert beside(destination, ".srt") == expected
