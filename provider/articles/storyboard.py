"""An article -> a storyboard request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..text.text_file import TextFile
from ..text.video_name import video_name
from .page import Article
from .template import StoryboardTemplate

__all__ = ["storyboard_from_article", "video_name"]


def storyboard_from_article(
    article: Article | Mapping[str, Any],
    *,
    template: StoryboardTemplate | Mapping[str, Any] | TextFile | str | None = None,
    words_per_scene: int | None = None,
    max_scenes: int | None = None,
) -> dict[str, Any]:
    """Return a storyboard request for an article, with the interface's own field names.

    Without a template the title is the first scene, and every scene has a voice-over and the article's lead picture
    behind it. Article text is data: a scene's ``text`` may hold SSML, so ``&``, ``<`` and ``>`` of the article are
    written as XML entities, so that they are seen and heard as those characters. The log says what is left out of a
    longer article; the rest ends with a whole sentence (source: the interface, "Storyboard request" and "Scene object";
    the rules are ours).

    :param article: an article, or its fields as a mapping; other keys are ignored.
    :param template: what all videos share and the rules for their scenes, as ``StoryboardTemplate.read`` takes it: a
        mapping, a YAML text, a path.
    :param words_per_scene: the largest number of words in a scene, instead of the template's rule; the title
        is never cut. Default 30.
    :param max_scenes: the largest number of scenes, the title's included, instead of the template's; the rest
        of the text is left out. Default: no limit.
    :return: a dict for ``CreateStoryboardOperator(storyboard=...)``.
    :raises ArticleError: the article has no address, title or text.
    :raises InvalidRequestError: the template or a limit is wrong.
    :raises ConfigurationError: the extra ``[articles]`` is not installed, or the template's file cannot be read.
    """
    rules = StoryboardTemplate.read({} if template is None else template)
    if words_per_scene is not None:
        rules = rules.changed(words_per_scene=words_per_scene, seconds_per_scene=None)
    if max_scenes is not None:
        rules = rules.changed(max_scenes=max_scenes)
    return rules.storyboard_of(article)
