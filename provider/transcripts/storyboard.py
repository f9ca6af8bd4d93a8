"""A transcript -> a storyboard request: over the recording's own pictures, or read aloud."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from ..speech_rate import spoken_words
from ..text.scenes import one_line
from ..text.video_name import video_name
from .cue import Cue
from .sentences import Sentence
from .transcript import Transcript
from .video_parts import PartUri, media_fragment, video_scene

SHORTEST_SCENE = 2.0
"""Seconds; a text that is shown for less can hardly be read (ours)."""
MAX_STAY = 1.0
"""Seconds of silence in which a text stays; a longer silence is a scene without text (ours)."""
NO_SCENE = 0.1
"""Seconds; a scene is never shorter (ours)."""


class _Shown(NamedTuple):
    start: float
    end: float
    text: str

    @property
    def seconds(self) -> float:
        return self.end - self.start


def subtitled_video(
    video_uri: str,
    transcript: Transcript,
    *,
    title: str,
    video_seconds: float | None = None,
    shortest_scene: float = SHORTEST_SCENE,
    part_uri: PartUri = media_fragment,
) -> dict[str, Any]:
    """Return a storyboard request that shows a video again, with its own sound, and its transcript as subtitles.

    Each scene is one cue of the transcript over the same seconds of the video, without voice-over. Cues that are too
    short for a scene share one, and where nothing is said the video is shown without text. The scenes cover the
    video from its start to its end without a gap (source: the interface, "Scene object"; its use "adding a generated
    transcription to an existing video").

    :param video_uri: the video: ``https://...``. What ``s3://`` needs is said at ``media_fragment``.
    :param transcript: from ``parse_transcript`` or ``fetch_transcript``.
    :param title: what people know the video by; the video's name is made of it.
    :param video_seconds: the video's length; None: it ends with the last cue.
    :param shortest_scene: seconds that a scene lasts at least; 0: a scene for each cue.
    :param part_uri: names a part of the video, see ``media_fragment``.
    :return: a dict for ``CreateStoryboardOperator(storyboard=...)``.
    :raises ConfigurationError: the parts of the video cannot be named.
    """
    end = max(video_seconds or 0.0, transcript.end)
    scenes = [
        video_scene(video_uri, start, stop, escape(text), part_uri)
        for start, stop, text in _covering(transcript.cues, end, shortest_scene)
    ]
    return _request(title, video_uri, transcript.language, scenes)


def summary_video(
    sentences: Sequence[Sentence],
    *,
    title: str,
    source: str,
    video_uri: str | None = None,
    picture: str | None = None,
    language: str | None = None,
    part_uri: PartUri = media_fragment,
) -> dict[str, Any]:
    """Return a storyboard request of chosen sentences: over the video that they are from, or read aloud.

    With ``video_uri`` each sentence is a scene that shows the seconds in which it is said, with the video's own sound.
    Without it each sentence is read by a voice over the picture (source: the interface, "Scene object"; its
    use "a video summary from an existing transcription").

    :param sentences: at least one, such as from ``extract``.
    :param title: what people know the video by; the video's name is made of it.
    :param source: the address of what is summed up; it makes the name unlike others, and is not shown.
    :param video_uri: the video: ``https://...``.
    :param picture: the address of a picture behind the sentences, without ``video_uri``.
    :param language: of the sentences.
    :param part_uri: names a part of the video, see ``media_fragment``.
    :return: a dict for ``CreateStoryboardOperator(storyboard=...)``.
    :raises ConfigurationError: the parts of the video cannot be named.
    """
    if video_uri:
        scenes = [video_scene(video_uri, s.start, s.end, escape(s.text), part_uri) for s in sentences]
    else:
        scenes = [spoken_scene(sentence.text, picture) for sentence in sentences]
    return _request(title, f"summary of {source}", language, scenes)


def spoken_scene(text: str, picture: str | None) -> dict[str, Any]:
    """Return a scene that is read by a voice over a picture (source: the interface, "Scene object").

    :param text: plain text; ``&``, ``<`` and ``>`` in it are written as XML entities.
    :param picture: its address; None: the service's own background.
    """
    background = {"backgroundUri": picture, "backgroundType": "image"} if picture else {}
    return {"text": escape(text), "voiceOver": True, **background}


def spoken_scenes(
    sentences: Sequence[Sentence], picture: str | None, words_per_scene: int
) -> list[dict[str, Any]]:
    """Return scenes of as many whole sentences of one speaker as fit, read by a voice over a picture.

    :param sentences: in order; one that is longer than a scene is a scene all the same.
    :param picture: its address; None: the service's own background.
    :param words_per_scene: the number of words up to which sentences share a scene.
    """
    groups: list[list[Sentence]] = []
    for sentence in sentences:
        together = " ".join(s.text for s in [*(groups[-1] if groups else ()), sentence])
        if groups and groups[-1][0].speaker == sentence.speaker and spoken_words(together) <= words_per_scene:
            groups[-1].append(sentence)
        else:
            groups.append([sentence])
    return [spoken_scene(" ".join(sentence.text for sentence in group), picture) for group in groups]


def _covering(cues: Sequence[Cue], end: float, shortest: float) -> list[_Shown]:
    """What to show from when to when, from 0 to the end without a gap."""
    shortest = max(shortest, NO_SCENE)
    end = max(end, shortest)
    scenes: list[_Shown] = []

    def go_on_to(moment: float) -> float:
        """Show what is shown until a moment, or nothing for so long that it is worth a scene."""
        last = scenes[-1] if scenes else _Shown(0.0, 0.0, "")
        ends = min(max(last.end, last.start + shortest), moment) if scenes else 0.0
        if moment - ends >= max(shortest, MAX_STAY):
            scenes[-1:] = [last._replace(end=ends)] if scenes else []
            scenes.append(_Shown(ends, moment, ""))
        elif scenes:
            scenes[-1] = last._replace(end=moment)
        return moment if scenes else 0.0

    for cue, following in zip(cues, [*(cue.start for cue in cues[1:]), end], strict=True):
        # Of cues that overlap each is shown from its own start on.
        start, stop = go_on_to(cue.start), max(min(cue.end, following), cue.start)
        if scenes and scenes[-1].text and scenes[-1].seconds < shortest:
            scenes[-1] = _Shown(scenes[-1].start, stop, f"{scenes[-1].text} {cue.text}")
        else:
            scenes.append(_Shown(start, stop, cue.text))
    go_on_to(end)
    if len(scenes) > 1 and scenes[-1].seconds < shortest:
        before, last = scenes[-2:]
        scenes[-2:] = [_Shown(before.start, last.end, f"{before.text} {last.text}".strip())]
    return scenes


def _request(title: str, source: str, language: str | None, scenes: list[dict[str, Any]]) -> dict[str, Any]:
    request = {"videoName": video_name(title, source), "videoDescription": one_line(title), "scenes": scenes}
    return request | ({"language": language} if language else {})
