"""An article -> a storyboard request."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from typing import Any
from xml.sax.saxutils import escape

from .page import Article
from .scenes import one_line, scene_texts


def storyboard_from_article(
    article: Article | Mapping[str, Any],
    *,
    words_per_scene: int = 30,
    max_scenes: int | None = None,
) -> dict[str, Any]:
    """Return a storyboard request for an article, with the interface's own field names.

    The title is the first scene. Every scene has a voice-over and the article's lead picture behind it.
    Article text is data: a scene's ``text`` may hold SSML, so ``&``, ``<`` and ``>`` of the article are
    written as XML entities, to be seen and heard as the characters they are. Other fields, such as
    ``videoWidth`` or ``audio``, can be merged into the result (source: the interface, "Storyboard request"
    and "Scene object").

    :param article: an article, or its fields as a mapping; other keys are left aside.
    :param words_per_scene: the largest number of words in a scene; the title is never cut.
    :param max_scenes: the largest number of scenes, title included; the rest of the text is left out.
        None: no limit.
    :raises ArticleError: the article has no address, title or text.
    :raises ValueError: ``words_per_scene`` or ``max_scenes`` is less than 1.
    :raises ConfigurationError: the extra ``[articles]`` is not installed.
    """
    if max_scenes is not None and max_scenes < 1:
        raise ValueError(f"max_scenes is {max_scenes}: a video needs at least one scene.")
    if not isinstance(article, Article):
        article = Article.from_dict(article)
    title = one_line(article.title)
    texts = [title, *scene_texts(article.text, language=article.language, words_per_scene=words_per_scene)]
    source = ", ".join(filter(None, [article.author, article.published, article.url]))
    request = {
        "videoName": video_name(article.title, article.url),
        "videoDescription": one_line(f"{title} ({source})"),
        "scenes": [_scene(text, article.picture) for text in texts[:max_scenes]],
    }
    return request | ({"language": article.language} if article.language else {})


def video_name(title: str, url: str) -> str:
    """Return a name that is safe as a file's name everywhere and the same for the same address only.

    :param title: what people know the video by; its ASCII letters and digits become the name's start.
    :param url: the article's address; a hash of it becomes the name's end.
    :return: at most 100 of ``a-z``, ``0-9`` and ``-`` (source: the interface, "Storyboard request").
    """
    ascii_title = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", ascii_title.replace("'", ""))[:80].strip("-")
    digest = hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{words or 'article'}-{digest}"


def _scene(text: str, picture: str | None) -> dict[str, Any]:
    background = {"backgroundUri": picture, "backgroundType": "image"} if picture else {}
    return {"text": escape(text), "voiceOver": True, **background}
