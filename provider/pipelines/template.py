"""The storyboard template of a pipeline: of a file, of the rules in the settings, or of both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any

from ..articles.template import WHOLE, StoryboardTemplate
from ..errors import ConfigurationError, InvalidRequestError, Problem
from ..text.text_file import TextFile
from .settings import PipelineSettings, as_written, located, missing_template, subject_of

Opened = Callable[[str], TextFile]
"""A path -> its file, such as ``pathlib.Path``."""


def template_of(settings: PipelineSettings, opened: Opened) -> StoryboardTemplate:
    """The template of a pipeline; its file is read now.

    :param settings: of the pipeline.
    :param opened: gives the file.
    :raises InvalidRequestError: names every problem with its path, value and what is allowed.
    :raises ConfigurationError: the file cannot be read.
    """
    template = StoryboardTemplate.read(opened(settings.template) if settings.template else {})
    return template.changed(**settings.rules)


def check_pipeline(text: str, file: PurePath, opened: Opened) -> PipelineSettings:
    """Check settings to the last rule, also those that a DAG file leaves to the run.

    :param text: JSON or YAML.
    :param file: where it stands.
    :param opened: gives the template's file.
    :return: the settings, which are right.
    :raises InvalidRequestError: names every problem with its path, value and what is allowed.
    """
    fields = as_written(text, file)
    problems = [*_of_rules(fields.get("rules")), *_of_file(fields.get("template"), file, opened)]
    try:
        settings = PipelineSettings.read(text, file)
    except InvalidRequestError as error:
        raise InvalidRequestError(subject_of(file), [*error.problems, *problems]) from None
    if not problems:
        try:
            template_of(settings, opened)
        except InvalidRequestError as error:
            problems = _beneath("rules", error)
    if problems:
        raise InvalidRequestError(subject_of(file), problems)
    return settings


def _of_rules(rules: Any) -> list[Problem]:
    try:
        StoryboardTemplate.read(rules if isinstance(rules, Mapping) else {})
    except InvalidRequestError as error:
        return _beneath("rules", error)
    return []


def _of_file(template: Any, file: PurePath, opened: Opened) -> list[Problem]:
    if not isinstance(template, str) or not template.strip() or "://" in template:
        return []
    try:
        StoryboardTemplate.read(opened(located(template, file)))
    except ConfigurationError:
        return [missing_template(template)]
    except InvalidRequestError as error:
        return _beneath(f"template {template}, ", error, joined="")
    return []


def _beneath(path: str, error: InvalidRequestError, joined: str = ".") -> list[Problem]:
    return [
        problem._replace(
            path=path.rstrip(", ") if problem.path in ("", WHOLE) else path + joined + problem.path
        )
        for problem in error.problems
    ]
