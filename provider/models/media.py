"""Field types for colours, files, media locations and SSML, each with its check."""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import urlsplit
from xml.etree import ElementTree

from pydantic import AfterValidator

from .request_model import WireText

_HEX_COLOR = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_RGBA_COLOR = re.compile(r"rgba?\(([^()]*)\)", re.IGNORECASE)
_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_BUCKET_HOST = re.compile(r"(?P<bucket>.+)\.s3[.-](?P<region>[a-z0-9-]+)\.amazonaws\.com", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z!?]")
_UNSAFE_IN_FILE_NAME = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
_PERCENTAGE = re.compile(r"(\d{1,3}(?:\.\d+)?)%")
_SSML_NAMESPACES = '<speak xmlns:amazon="urn:amazon" xmlns:mstts="urn:mstts" xmlns:google="urn:google">'


def _color(text: str) -> str:
    stripped = text.strip()
    if _HEX_COLOR.fullmatch(stripped):
        return stripped
    if match := _RGBA_COLOR.fullmatch(stripped):
        parts = [part.strip() for part in match[1].split(",")]
        try:
            channels = [float(part) for part in parts]
        except ValueError:
            channels = []
        if (
            len(channels) in (3, 4)
            and all(0 <= channel <= 255 for channel in channels[:3])
            and all(0 <= alpha <= 1 for alpha in channels[3:])
        ):
            return stripped
    raise ValueError(
        "must be a hex code such as '#FFAA00' or 'rgba(r,g,b,a)' with r, g, b from 0 to 255 and a from 0 to 1"
    )


def _hex_color(text: str) -> str:
    if not _HEX_COLOR.fullmatch(text.strip()):
        raise ValueError("must be a hex code such as '#FFAA00'")
    return text.strip()


def _percentage(text: str) -> str:
    match = _PERCENTAGE.fullmatch(text.strip())
    if not match or not 0 < float(match[1]) <= 100:
        raise ValueError("must be a percentage above 0% and up to 100%, such as '10%'")
    return text.strip()


def _pixels(text: str) -> str:
    if not re.fullmatch(r"[1-9]\d{0,4}", text.strip()):
        raise ValueError("must be a whole number of pixels, such as 1280")
    return text.strip()


def _web_url(text: str) -> str:
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or any(character.isspace() for character in text):
        raise ValueError("must be an http(s) URL")
    return text


def _font_url(text: str) -> str:
    if not urlsplit(_web_url(text)).path.lower().endswith(".ttf"):
        raise ValueError("must be the URL of a .ttf font file")
    return text


def _media_uri(text: str) -> str:
    if not text.startswith("s3://"):
        try:
            return _web_url(text)
        except ValueError:
            message = "must be 's3://bucket/key' or an http(s) URL such as 'https://bucket.s3.region.amazonaws.com/key'"
            raise ValueError(message) from None
    bucket, _, key = text.removeprefix("s3://").partition("/")
    if not _BUCKET.fullmatch(bucket):
        raise ValueError(f"must be 's3://bucket/key'; {bucket!r} is no bucket name")
    if not key:
        raise ValueError("must be 's3://bucket/key'; the key is missing")
    return text


def _file_name(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty")
    if found := _UNSAFE_IN_FILE_NAME.search(text):
        raise ValueError(f"must be usable as a file name; {found[0]!r} is not allowed")
    if text.strip(" .") != text:
        raise ValueError("must be usable as a file name; it may not begin or end with a space or a dot")
    if len(text.encode("utf-8", "surrogatepass")) > 240:
        raise ValueError("must be usable as a file name; it is longer than 240 bytes")
    return text


def _scene_text(text: str) -> str:
    """Text with something like a tag in it is read as SSML by the service, so it must be well-formed."""
    if _TAG.search(text):
        body = re.sub(r"<\?xml[^>]*\?>", "", text, count=1)
        try:
            ElementTree.fromstring(f"{_SSML_NAMESPACES}{body}</speak>")  # noqa: S314 - DTDs cannot stand inside an element
        except ElementTree.ParseError as error:
            reason = str(error).partition(":")[0]
            raise ValueError(
                f"holds SSML that is not well-formed ({reason}); close every tag, "
                "and write &amp; and &lt; for a plain & or <"
            ) from None
    return text


def is_bucket_url(uri: str) -> bool:
    """Whether an https URL names an object of a bucket, which may be private."""
    return bool(_BUCKET_HOST.fullmatch(urlsplit(uri).hostname or ""))


Color = Annotated[WireText, AfterValidator(_color)]
HexColor = Annotated[WireText, AfterValidator(_hex_color)]
Percentage = Annotated[WireText, AfterValidator(_percentage)]
Pixels = Annotated[WireText, AfterValidator(_pixels)]
WebUrl = Annotated[str, AfterValidator(_web_url)]
FontUrl = Annotated[str, AfterValidator(_font_url)]
MediaUri = Annotated[str, AfterValidator(_media_uri)]
FileName = Annotated[WireText, AfterValidator(_file_name)]
SceneText = Annotated[WireText, AfterValidator(_scene_text)]
