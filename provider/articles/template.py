"""How articles become storyboards: what all videos share, and the rules for their scenes."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from ..errors import ConfigurationError, InvalidRequestError, Problem
from ..models.problems import UNKNOWN_KEY, problems_of
from ..models.request_text import FILE_ENDINGS, parse_request_text
from ..models.storyboard import Storyboard
from ..text.text_file import TextFile, text_of
from .composition import compose
from .page import Article
from .template_rules import TemplateRules

log = logging.getLogger(__name__)

SUBJECT = "storyboard template"
WHOLE = "the template"
"""The path of a problem that belongs to no single rule."""


class StoryboardTemplate(TemplateRules):
    """What all videos share, and the rules by which an article becomes scenes (source: ours).

    docs/sources/templates.md shows it as YAML. Wrong and unknown fields are all reported at once.

    :param storyboard: fields of the storyboard request, with the interface's names, except ``videoName`` and
        ``scenes``. A ``language`` or ``videoDescription`` replaces the article's.
    :param words_per_scene: the largest number of words in a scene of the text; default 30.
    :param seconds_per_scene: the same in seconds of speech, estimated by language and voice speed; below 86,400.
    :param max_scenes: the largest number of scenes, title and closing scene included.
    :param max_seconds: about how long the whole video may be spoken; below 86,400. The first scene of the text always
        stays.
    :param title_scene: True: the title is the first scene; False: it is not; or fields of that scene.
    :param closing_scene: text of a last scene, with placeholders such as ``{title}``, or that scene's fields.
    :param every_scene: fields of every scene, such as ``voiceOver`` or ``minimumDuration``.
    :param lead_picture: scenes that have the article's lead picture: ``every``, ``first`` or ``none``.
    :param backgrounds: behind the scenes without the lead picture, in turn: addresses, or a scene's fields.
    :param voices: language -> fields of ``aiVoiceOver``, which replace those in ``storyboard.audio``; ``pt-BR`` uses
        the voice of ``pt`` if it has none of its own.
    :raises InvalidRequestError: names every problem with its path, value and what is allowed.
    """

    def __init__(self, /, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            raise InvalidRequestError(SUBJECT, _problems(error)) from None

    @classmethod
    def read(
        cls,
        value: StoryboardTemplate
        | Mapping[str, Any]
        | TextFile
        | str
        | Sequence[Mapping[str, Any] | TextFile | str],
    ) -> StoryboardTemplate:
        """Make a checked template from a mapping, a JSON or YAML text, or a file, which is read now.

        :param value: a template, a mapping, a text, a path (``Path(__file__).with_name("style.yaml")``, an
            ``ObjectStoragePath``); or a list of these, in which later rules replace earlier ones.
        :raises InvalidRequestError: names every problem with its path, value and what is allowed.
        :raises ConfigurationError: the file cannot be read, or a name is given instead of a path.
        """
        if isinstance(value, cls):
            return value
        if isinstance(value, list | tuple):
            read = [cls.read(each) for each in value]
            return cls().changed(
                **{name: getattr(each, name) for each in read for name in each.model_fields_set}
            )
        subject = SUBJECT
        if isinstance(value, str) and "\n" not in value and value.endswith(FILE_ENDINGS):
            raise ConfigurationError(
                f"The {SUBJECT} {value!r} is a text and not a path. Give Path(...) of it or, for a file beside the "
                'DAG file, Path(__file__).with_name("style.yaml").'
            )
        if not isinstance(value, str | Mapping) and hasattr(value, "read_text"):
            subject, value = f"{SUBJECT} {value}", text_of(value, SUBJECT, "style.yaml")
        if isinstance(value, str):
            value = parse_request_text(value, subject)
        if not isinstance(value, Mapping):
            message = f"must be an object with fields, not {type(value).__name__}"
            raise InvalidRequestError(subject, [Problem("", "", message)])
        try:
            return cls(**{str(name): item for name, item in value.items()})
        except InvalidRequestError as error:
            raise InvalidRequestError(subject, error.problems) from None

    def changed(self, **rules: Any) -> StoryboardTemplate:
        """Return this template with some of its rules replaced.

        :param rules: by name.
        :raises InvalidRequestError: names every problem with its path, value and what is allowed.
        """
        return type(self)(**{name: getattr(self, name) for name in self.model_fields_set} | rules)

    def storyboard_of(
        self, article: Article | Mapping[str, Any], *, title: str | None = None
    ) -> dict[str, Any]:
        """Return a storyboard request for an article, with the interface's own field names.

        The log says what is left out of it, such as text beyond ``max_scenes``.

        :param article: an article, or its fields as a mapping; other keys are left aside.
        :param title: shown instead of the article's own, which still gives the video its name.
        :raises ArticleError: the article has no address, title or text.
        :raises ConfigurationError: the extra ``[articles]`` is not installed.
        """
        if not isinstance(article, Article):
            article = Article.from_dict(article)
        storyboard, notes = compose(article, self, title)
        for note in notes:
            log.info("%s", note)
        return storyboard


def _problems(error: ValidationError) -> list[Problem]:
    return [_told(problem) for problem in problems_of(StoryboardTemplate, error)]


def _told(problem: Problem) -> Problem:
    """A problem in a template's terms, whose own names are not the interface's."""
    if problem.message.startswith(UNKNOWN_KEY) and problem.path.isidentifier():
        return problem._replace(message=f"is not a rule of a template; {_nearest(problem.path)}")
    return problem if problem.path else problem._replace(path=WHOLE)


def _nearest(name: str) -> str:
    fields = {field.alias: field.alias for field in Storyboard.model_fields.values()}
    if name in fields or name in Storyboard.model_fields:
        return f"it is a field of the storyboard: write it under storyboard, as storyboard.{name}"
    rules = list(StoryboardTemplate.model_fields)
    near = difflib.get_close_matches(name.lower(), rules, n=1)
    return f"did you mean {near[0]!r}?" if near else f"the rules are {', '.join(rules)}"
