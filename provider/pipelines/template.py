"""The storyboard template of a pipeline: of a file, of the rules in the settings, or of both."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from ..articles.template import WHOLE, StoryboardTemplate
from ..errors import ConfigurationError, InvalidRequestError, Problem
from ..scripts.instructions import script_instructions
from .field_types import is_lines
from .settings import Opened, PipelineSettings, as_written, located, missing_file, subject_of


def template_of(settings: PipelineSettings, opened: Opened) -> StoryboardTemplate:
    """The template of a pipeline; its file is read now.

    :param settings: of the pipeline.
    :param opened: gives the file.
    :raises InvalidRequestError: names every problem with its path, value and what is allowed.
    :raises ConfigurationError: the file cannot be read.
    """
    return StoryboardTemplate.read(settings.template_layers(opened))


def check_pipeline(text: str, file: PurePath, opened: Opened) -> PipelineSettings:
    """Check settings to the last rule, also those that a DAG file leaves to the run.

    :param text: JSON or YAML.
    :param file: where it stands.
    :param opened: gives the template's file.
    :return: the settings, which are right.
    :raises InvalidRequestError: names every problem with its path, value and what is allowed.
    """
    fields = as_written(text, file)
    problems = [
        *_of_rules(fields.get("rules")),
        *_of_file(fields.get("template"), file, opened),
        *_of_instructions(fields.get("script"), file, opened),
    ]
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
        return [missing_file("template", template)]
    except InvalidRequestError as error:
        return _beneath(f"template {template}, ", error, joined="")
    return []


def _of_instructions(script: Any, file: PurePath, opened: Opened) -> list[Problem]:
    given = script.get("instructions") if isinstance(script, Mapping) else None
    if not isinstance(given, str) or not given.strip() or ("://" in given and not is_lines(given)):
        return []
    path = "script.instructions"
    try:
        text = given if is_lines(given) else opened(located(given.strip(), file)).read_text("utf-8")
        script_instructions(instructions=text)
    except (OSError, ValueError):
        return [missing_file(path, given)]
    except ConfigurationError as error:
        return [Problem(path, "", str(error))]
    return []


def _beneath(path: str, error: InvalidRequestError, joined: str = ".") -> list[Problem]:
    return [
        problem._replace(
            path=path.rstrip(", ") if problem.path in ("", WHOLE) else path + joined + problem.path
        )
        for problem in error.problems
    ]
