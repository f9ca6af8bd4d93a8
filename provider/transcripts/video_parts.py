"""How a part of an existing video is named as a scene's background."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urldefrag

from ..errors import ConfigurationError

PartUri = Callable[[str, float, float], str]
"""Names a part of a video: takes its URI, and the part's start and end in seconds, and gives the part's URI."""


def media_fragment(video_uri: str, start: float, end: float) -> str:
    """Name a part of a video with a media fragment: ``https://.../a.mp4#t=12.5,15`` (source: W3C, Media Fragments URI).

    The interface has no field for where a background video starts. A service which does not know fragments shows the
    video's beginning instead; then cut the video into clips, and name these with a function of your own.

    :param video_uri: http or https.
    :param start: seconds from the video's start.
    :param end: seconds from there.
    :raises ConfigurationError: an ``s3://`` URI, where a fragment would be part of the object's key.
    """
    if video_uri.startswith("s3://"):
        raise ConfigurationError(
            "A part of an s3:// video cannot be named, since everything after the bucket is the object's key: give "
            "it as https://<bucket>.s3.<region>.amazonaws.com/<key>, or cut it into clips and name them with part_uri=."
        )
    return f"{urldefrag(video_uri).url}#t={_number(start)},{_number(end)}"


def video_scene(video_uri: str, start: float, end: float, text: str, part_uri: PartUri) -> dict[str, Any]:
    """Return a scene that shows a part of a video with its own sound (source: the interface, "Scene object").

    :param video_uri: the video.
    :param start: seconds from the video's start.
    :param end: seconds from there.
    :param text: the subtitle, escaped; empty for none.
    :param part_uri: names the part.
    """
    return {
        **({"text": text} if text else {}),
        "voiceOver": False,
        "backgroundUri": part_uri(video_uri, start, end),
        "backgroundType": "video",
        "loopBackgroundVideo": False,
        "muteBackgroundVideo": False,
        "minimumDuration": round(end - start, 3),
    }


def _number(seconds: float) -> str:
    return f"{seconds:.3f}".rstrip("0").rstrip(".")
