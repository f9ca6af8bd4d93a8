"""Field types for colours, files, media locations and SSML, each with its check."""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree
from xml.parsers.expat import ErrorString

from pydantic import AfterValidator

from ..text.file_names import trouble_with_name
from ..text.markup import is_ssml
from .field_types import TextOrNumber, WireText, number_as_text

MAX_FILE_NAME = 240
"""Bytes; leaves room for ``.mp4`` below the 255 that file systems allow (ours)."""

_HEX_COLOR = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_RGBA_COLOR = re.compile(r"rgba\(([0-9., ]*)\)")
_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_BUCKET_HOST = re.compile(r"(?:(.+)\.)?s3(?:[.-][a-z0-9-]+)*\.amazonaws\.com")
_UNSAFE_IN_FILE_NAME = re.compile(r'[<>:"/\\|?*]')
_PERCENTAGE = re.compile(r"([0-9]{1,3}(?:\.[0-9]+)?)%")
_SSML_NAMESPACES = '<speak xmlns:amazon="urn:amazon" xmlns:mstts="urn:mstts" xmlns:google="urn:google">'


def _hex_color(text: str) -> str:
    if not _HEX_COLOR.fullmatch(text.strip()):
        raise ValueError("must be a hex code such as '#FFAA00'")
    return text.strip()


def _color(text: str) -> str:
    if _HEX_COLOR.fullmatch(text.strip()) or _is_rgba(text.strip()):
        return text.strip()
    raise ValueError(
        "must be a hex code such as '#FFAA00' or 'rgba(r,g,b,a)' with r, g, b from 0 to 255 and a from 0 to 1"
    )


def _is_rgba(text: str) -> bool:
    match = _RGBA_COLOR.fullmatch(text)
    parts = match[1].split(",") if match else []
    try:
        channels = [float(part) for part in parts]
    except ValueError:
        return False
    return len(channels) == 4 and max(channels[:3]) <= 255 and channels[3] <= 1


def _percentage(text: str) -> str:
    match = _PERCENTAGE.fullmatch(text.strip())
    if not match or not 0 < float(match[1]) <= 100:
        raise ValueError("must be a percentage above 0% and up to 100%, such as '10%'")
    return text.strip()


def _pixels(written: str | float) -> str | int:
    text = written.strip() if isinstance(written, str) else str(number_as_text(written))
    if not re.fullmatch(r"[1-9][0-9]{0,4}", text):
        raise ValueError("must be a whole number of pixels, such as 1280")
    return text if isinstance(written, str) else int(written)


def _web_url(text: str) -> str:
    if not is_web_url(text):
        raise ValueError("must be an http(s) URL")
    return text


def is_web_url(text: str) -> bool:
    """Whether a text is an http(s) URL with a host, and without spaces or control characters (source: ours).

    :param text: any text.
    """
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return usable and text.isprintable() and " " not in text


def _font_url(text: str) -> str:
    if not urlsplit(_web_url(text)).path.lower().endswith(".ttf"):
        raise ValueError("must be the URL of a .ttf font file")
    return text


def _media_uri(text: str) -> str:
    bucket, _, key = text.removeprefix("s3://").partition("/")
    if text.startswith("s3://"):
        if not _BUCKET.fullmatch(bucket):
            raise ValueError(
                "must be 's3://bucket/key' with a bucket name of 3 to 63 small letters, digits, dots and hyphens"
            )
        if not key or not text.isprintable():
            raise ValueError("must be 's3://bucket/key' with a key of printable characters")
    elif not is_web_url(text):
        raise ValueError(
            "must be 's3://bucket/key' or an http(s) URL such as 'https://bucket.s3.region.amazonaws.com/key'"
        )
    return text


def _file_name(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    if found := _UNSAFE_IN_FILE_NAME.search(text):
        raise ValueError(f"must be usable as a file name; {found[0]!r} is not allowed")
    if text.strip(" .") != text:
        raise ValueError("must be usable as a file name; it may not begin or end with a space or a dot")
    if trouble := trouble_with_name(text):
        raise ValueError(f"must be usable as a file name; {trouble}")
    if len(text.encode()) > MAX_FILE_NAME:
        raise ValueError(f"must be usable as a file name; it is longer than {MAX_FILE_NAME} bytes")
    return text


def _scene_text(text: str) -> str:
    """Text with something like a tag in it is read as SSML by the service, so it must be well-formed."""
    if is_ssml(text):
        body = re.sub(r"<\?xml[^>]*\?>", "", text, count=1)
        try:
            ElementTree.fromstring(f"{_SSML_NAMESPACES}{body}</speak>")  # noqa: S314 - DTDs cannot stand inside an element
        except ElementTree.ParseError as error:
            raise ValueError(
                f"holds SSML that cannot be read ({ErrorString(error.code)}): close every tag, "
                "and write &amp; and &lt; for a plain & or <"
            ) from None
    return text


def is_bucket_url(uri: str) -> bool:
    """Whether an https URL names an object of a bucket, which may be private (source: ours).

    :param uri: a URL.
    """
    return bool(_BUCKET_HOST.fullmatch(urlsplit(uri).hostname or ""))


def bucket_and_key(url: str) -> tuple[str, str] | None:
    """The bucket and the key of the object that an https URL names; None where it names none (source: ours).

    :param url: such as ``https://bucket.s3.region.amazonaws.com/key``, or with the bucket in the path.
    """
    parts = urlsplit(url)
    host = _BUCKET_HOST.fullmatch(parts.hostname or "")
    if host is None:
        return None
    path = unquote(parts.path.removeprefix("/"))
    bucket, _, key = (host[1], "", path) if host[1] else path.partition("/")
    return (bucket, key) if bucket and key else None


Color = Annotated[WireText, AfterValidator(_color)]
HexColor = Annotated[WireText, AfterValidator(_hex_color)]
Percentage = Annotated[WireText, AfterValidator(_percentage)]
Pixels = Annotated[TextOrNumber, AfterValidator(_pixels)]
WebUrl = Annotated[WireText, AfterValidator(_web_url)]
FontUrl = Annotated[WireText, AfterValidator(_font_url)]
MediaUri = Annotated[WireText, AfterValidator(_media_uri)]
FileName = Annotated[WireText, AfterValidator(_file_name)]
SceneText = Annotated[WireText, AfterValidator(_scene_text)]
