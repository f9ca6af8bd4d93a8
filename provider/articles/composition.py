"""An article and a template -> a storyboard request, and notes on what was left out of it."""

from __future__ import annotations

from bisect import bisect_right
from itertools import count
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from ..errors import ArticleError, InvalidRequestError
from ..models.storyboard import AiVoiceOver, Storyboard
from ..quoting import quotable
from ..speech_rate import speed_of, words_in
from ..spending.estimate import estimated_seconds
from ..text.scenes import Piece, one_line, scene_pieces
from ..text.video_name import video_name
from .page import Article
from .placeholders import filled_in
from .scene_fields import Background
from .template_rules import TemplateRules

WORDS_PER_SCENE = 30
"""Used where the template has no rule (ours)."""

_VIDEO_ENDINGS = (".m4v", ".mov", ".mp4", ".webm")


class _Part(NamedTuple):
    """A scene before it has a background."""

    text: str
    own: dict[str, Any]


def compose(
    article: Article, template: TemplateRules, title: str | None = None
) -> tuple[dict[str, Any], list[str]]:
    """Return a storyboard request for an article, and notes on what was left out (source: ours).

    :param article: text and where it came from.
    :param template: what all videos have, and the rules.
    :param title: shown instead of the article's own, which still gives the video its name.
    :raises ArticleError: the article has nothing that can be shown.
    :raises ConfigurationError: the extra ``[articles]`` is not installed.
    """
    notes: list[str] = []
    common = template.storyboard.to_dict()
    language = common.get("language") or one_line(article.language or "") or None
    audio = _audio(template, language)
    fields = {
        "videoName": video_name(article.title, article.url),
        "videoDescription": _description(article),
        **common,
        **({"language": language} if language else {}),
        **({"audio": audio} if audio else {}),
    }

    words = template.words_per_scene or WORDS_PER_SCENE
    if template.seconds_per_scene:
        words = words_in(
            template.seconds_per_scene, language, speed_of(audio.get("aiVoiceOver", {}).get("speed"))
        )
    pieces = scene_pieces(article.text, language=language, words_per_scene=words)
    before, after = _own_scenes(article, template, title)
    picture = _lead_picture(article, template, notes)

    def with_pieces(number: int) -> dict[str, Any]:
        parts = [*before, *(_Part(escape(piece.text), {}) for piece in pieces[:number]), *after]
        return {**fields, "scenes": _scenes(parts, template, picture)}

    if not before and not pieces:
        raise ArticleError(
            f"The article {quotable(article.url)} has no text that can be shown. Leave it out."
        )
    room = len(pieces)
    if template.max_scenes is not None:
        room = min(room, max(template.max_scenes - len(before) - len(after), 0))
    if template.max_seconds is not None and room:
        room = max(
            bisect_right(range(room + 1), template.max_seconds, key=lambda n: _seconds(with_pieces(n))) - 1, 1
        )
    kept = _to_sentence_end(pieces, room)
    if kept < len(pieces):
        limits = {"max_scenes": template.max_scenes, "max_seconds": template.max_seconds}
        because = ", ".join(f"{name}={limit:g}" for name, limit in limits.items() if limit is not None)
        notes.append(
            f"The last {len(pieces) - kept} of {len(pieces)} scenes of text are left out of "
            f"{fields['videoName']} ({because})"
        )
    return with_pieces(kept), notes


def _description(article: Article) -> str:
    # A feed's links to its pages may have a key in the query, which must not become public.
    url = article.url.partition("?")[0]
    source = ", ".join(filter(None, [article.author, article.published, url]))
    return one_line(f"{article.title} ({source})")


def _audio(template: TemplateRules, language: str | None) -> dict[str, Any]:
    """The storyboard's audio, with the voice of a language."""
    audio = template.storyboard.audio.to_dict() if template.storyboard.audio else {}
    voice = _voice(template.voices, language)
    return audio | {"aiVoiceOver": audio.get("aiVoiceOver", {}) | voice.to_dict()} if voice else audio


def _voice(voices: dict[str, AiVoiceOver], language: str | None) -> AiVoiceOver | None:
    """The voice of a language, otherwise that of its base language."""
    by_code = {_code(name): voice for name, voice in voices.items()}
    code = _code(language or "")
    while code and code not in by_code:
        code = code.rpartition("-")[0]
    return by_code.get(code)


def _code(language: str) -> str:
    return language.replace("_", "-").lower()


def _own_scenes(
    article: Article, template: TemplateRules, title: str | None
) -> tuple[list[_Part], list[_Part]]:
    """The scenes before and after the text."""
    values = {
        "title": one_line(title or article.title),
        "author": one_line(article.author or ""),
        "url": one_line(article.url),
        "site": _site(article.url),
        "published": one_line(article.published or "")[:10],
    }
    before, after = [], []
    if template.title_scene and values["title"]:
        before.append(_Part(escape(values["title"]), template.title_scene.to_dict()))
    if template.closing_scene and (text := filled_in(template.closing_scene.text, values)):
        own = template.closing_scene.to_dict()
        after.append(_Part(text, {name: value for name, value in own.items() if name != "text"}))
    return before, after


def _site(url: str) -> str:
    try:
        return one_line((urlsplit(url).hostname or "").removeprefix("www."))
    except ValueError:
        return ""


def _lead_picture(article: Article, template: TemplateRules, notes: list[str]) -> Background | None:
    if not article.picture or template.lead_picture == "none":
        return None
    try:
        return Background(background_uri=article.picture)
    except InvalidRequestError:
        notes.append(f"The picture {quotable(article.picture)} has no usable address, and is left out")
        return None


def _scenes(
    parts: list[_Part], template: TemplateRules, lead_picture: Background | None
) -> list[dict[str, Any]]:
    scenes = []
    turn = count()
    for index, part in enumerate(parts):
        background = lead_picture if template.lead_picture == "every" or index == 0 else None
        if "backgroundUri" in part.own:
            background = None
        elif background is None and template.backgrounds:
            background = template.backgrounds[next(turn) % len(template.backgrounds)]
        scene = {
            "text": part.text,
            "voiceOver": True,
            **template.every_scene.to_dict(),
            **(background.to_dict() if background else {}),
            **part.own,
        }
        scenes.append(scene | _background_type(scene))
    return scenes


def _background_type(scene: dict[str, Any]) -> dict[str, str]:
    """The kind of a background, by the ending of its address, if it is not given."""
    uri = scene.get("backgroundUri")
    if not uri or "backgroundType" in scene:
        return {}
    is_video = urlsplit(uri).path.lower().endswith(_VIDEO_ENDINGS)
    return {"backgroundType": "video" if is_video else "image"}


def _to_sentence_end(pieces: list[Piece], room: int) -> int:
    """How many of the first pieces to take, so that they end with a sentence; all if no sentence ends in them."""
    if room == len(pieces):
        return room
    return next((n for n in range(room, 0, -1) if pieces[n - 1].ends_sentence), room)


def _seconds(request: dict[str, Any]) -> float:
    return estimated_seconds(Storyboard.read(request)) if request["scenes"] else 0.0
