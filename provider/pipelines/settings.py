"""The settings of a pipeline: the content of its YAML file, checked as far as a DAG file can afford."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from ..articles.watching.watched_address import watched_address
from ..errors import InvalidRequestError, Problem
from ..info import DEFAULT_CONNECTION_ID
from ..models.field_types import WholeNumber
from ..models.problems import NO_TEXT, UNKNOWN_KEY, problems_of
from ..models.request_text import parse_request_text
from ..text.text_file import TextFile
from .field_types import (
    Addresses,
    DagId,
    Free,
    LocalFile,
    OneOrMany,
    Places,
    Rendered,
    Schedule,
    Text,
    TimeSpan,
    TimeZone,
    Wait,
    is_lines,
    section,
)
from .parts import Approval, Budget, DefaultArgs, Delivery, PipelinePart, Script, Tell, Watch

Opened = Callable[[str], TextFile]
"""A path -> its file, such as ``pathlib.Path``."""
SUBJECT = "pipeline"
WHOLE = "the file"
"""The path of a problem with no key of its own."""
SOURCES = ("feed_url", "urls", "files")


class PipelineSettings(PipelinePart):
    """The settings of a pipeline: what becomes videos, when, how, and where they go (source: ours).

    docs/recipes/pipelines-from-yaml.md shows them as YAML. The rules of the scenes are checked by ``check`` and by the
    run, before anything is paid for: to load their models would double what the DAG file costs.

    :param dag_id: the DAG's name; default: the name of the settings file, without its ending.
    :param feed_url: address of an RSS or Atom feed.
    :param urls: addresses of pages, or one; all are read in every run.
    :param files: folders, files or patterns of .html, .htm and .txt files, or one of them, in any storage; of Markdown
        where it ends with ``.md``.
    :param lookback: how far back the first run and runs by hand reach, such as ``P2D``.
    :param max_articles: how many articles a run reads; absent: as many as ``budget.max_videos``, and 1,000 where that
        is null or ``budget.carry_over`` is true.
    :param shortest_text: characters that an article needs; a page with fewer is left out.
    :param respect_robots: whether the sites' robots.txt counts.
    :param allow_private_addresses: whether a feed may lead to hosts that are not public.
    :param watch: whether a run starts when ``feed_url`` publishes something; or how it is watched.
    :param schedule: a cron expression such as ``0 3 * * *``, or ``@daily``; absent: only when somebody triggers it, or
        with ``watch`` when something is published.
    :param timezone: of the schedule, such as ``Europe/Berlin``.
    :param template: a storyboard template: a file of its own, for several pipelines.
    :param rules: rules of a template; each replaces the same rule in the template's file.
    :param script: a language model writes what is said; absent: the article's own text is read aloud.
    :param budget: what may be spent.
    :param approval: whether a person approves each preview before its video is rendered; or how.
    :param max_active: how many videos may have a job at the service at a time; not together with ``approval``.
    :param timeout: after how long a video that is not there has failed, such as ``PT2H``.
    :param delivery: where the videos go.
    :param fail_when: which failures turn the run red: ``none``, if a video was made; ``any``; or ``never``.
    :param on_left_out: what to do when something wrong was left out: ``ignore`` it, or ``fail``.
    :param tell: whom to tell.
    :param video_creation_conn_id: the Airflow connection to the service.
    :param user_id: the service's user, in place of the connection's.
    :param default_args: what each task has, such as retries.
    :param tags: of the DAG, in Airflow's list.
    :raises InvalidRequestError: names every problem with its path, value and what is allowed.
    """

    dag_id: DagId
    feed_url: Rendered | None = None
    urls: Addresses | None = None
    files: Places | None = None
    lookback: TimeSpan = "P1D"
    max_articles: Annotated[WholeNumber, Field(ge=1)] | None = None
    shortest_text: Annotated[WholeNumber, Field(ge=1)] = 100
    respect_robots: bool = True
    allow_private_addresses: bool = False
    watch: Annotated[Watch | None, section(Watch)] = None
    schedule: Schedule | None = None
    timezone: TimeZone = "UTC"
    template: LocalFile | None = None
    rules: Free = Field(default_factory=dict)
    script: Script | None = None
    budget: Budget = Budget()
    approval: Annotated[Approval | None, section(Approval)] = None
    max_active: Annotated[WholeNumber, Field(ge=1)] = 50
    timeout: Wait = "PT2H"
    delivery: Delivery
    fail_when: Literal["none", "any", "never"] = "none"
    on_left_out: Literal["ignore", "fail"] = "ignore"
    tell: Tell = Tell()
    video_creation_conn_id: Text = DEFAULT_CONNECTION_ID
    user_id: Text | None = None
    default_args: DefaultArgs = DefaultArgs()
    tags: Annotated[tuple[Text, ...], OneOrMany] = ("video_creation",)

    def __init__(self, /, **settings: Any) -> None:
        try:
            super().__init__(**settings)
        except ValidationError as error:
            raise InvalidRequestError(SUBJECT, _problems(error)) from None

    @classmethod
    def read(cls, text: str, file: PurePath) -> PipelineSettings:
        """Make checked settings of the text of a file; relative paths in it are relative to that file.

        :param text: JSON or YAML.
        :param file: where it stands.
        :raises InvalidRequestError: names every problem with its path, value and what is allowed.
        """
        fields = {"dag_id": file.stem, **as_written(text, file)}
        try:
            return cls(**fields)._beside(file)
        except InvalidRequestError as error:
            raise InvalidRequestError(subject_of(file), error.problems) from None

    @property
    def source(self) -> str:
        """Which of the sources it has."""
        return next(name for name in SOURCES if getattr(self, name) is not None)

    def template_layers(self, opened: Opened) -> list[Mapping[str, Any] | TextFile | str]:
        """What the template is made of: its file, then the rules in the settings; nothing is read yet.

        :param opened: gives the file.
        """
        return [*([opened(self.template)] if self.template else []), self.rules]

    @model_validator(mode="after")
    def _settings_agree(self) -> Self:
        given = [name for name in SOURCES if getattr(self, name) is not None]
        if len(given) != 1:
            had = f"has {' and '.join(given)}" if given else "has none of them"
            raise ValueError(f"needs one of {', '.join(SOURCES)}, and {had}")
        if self.approval and self.delivery.manifest:
            raise ValueError(
                "has approval and delivery.manifest: a manifest is written without approval only"
            )
        if self.approval and "max_active" in self.model_fields_set:
            raise ValueError(
                "has approval and max_active: with approval each video is a task of its own, so limit them with a pool "
                "in default_args.pool"
            )
        if self.script and not self.max_articles and (self.budget.carry_over or not self.budget.max_videos):
            unbounded = "budget.carry_over" if self.budget.carry_over else "no budget.max_videos"
            raise ValueError(
                f"has script and {unbounded}: give max_articles, since a script is written, and may have to be paid "
                "for, for each article"
            )
        self._require_a_feed_to_watch()
        return self

    def _require_a_feed_to_watch(self) -> None:
        if not self.watch:
            return
        if self.feed_url is None:
            raise ValueError(f"has watch and {self.source}: only a feed_url can be watched; give a schedule")
        if "{{" in self.feed_url or "{%" in self.feed_url:
            raise ValueError(
                "has watch and Jinja in feed_url: Airflow must know the address when it reads the file, so write it out"
            )
        try:
            watched_address(self.feed_url)
        except ValueError as error:
            raise ValueError(f"has watch, and its feed_url {error}") from None

    def _beside(self, file: PurePath) -> Self:
        places = {name: located(getattr(self, name), file) for name in ("template", "files")}
        delivery = {name: located(getattr(self.delivery, name), file) for name in ("destination", "manifest")}
        script = self.script
        if script and script.instructions and not is_lines(script.instructions):
            script = script.model_copy(update={"instructions": located(script.instructions.strip(), file)})
        updated = {**places, "delivery": self.delivery.model_copy(update=delivery), "script": script}
        return self.model_copy(update=updated)


def as_written(text: str, file: PurePath) -> dict[str, Any]:
    """The settings as a file has them, not yet checked.

    :param text: JSON or YAML.
    :param file: where it stands.
    :raises InvalidRequestError: it is neither, or no object with fields, or has a key twice.
    """
    if not text.strip():
        raise InvalidRequestError(subject_of(file), [Problem(WHOLE, "", "is empty")])
    try:
        fields = parse_request_text(text, subject_of(file), each_key_once=True)
    except InvalidRequestError as error:
        problems = [problem._replace(path=WHOLE) for problem in error.problems]
        raise InvalidRequestError(error.subject, problems) from None
    return {str(name): value for name, value in fields.items()}


def subject_of(file: PurePath) -> str:
    """What messages call the settings of a file.

    :param file: where they stand.
    """
    return f"{SUBJECT} {file}"


def located(place: Any, file: PurePath) -> Any:
    """A path, or several, that may be relative to a settings file.

    :param place: a path, a URL or a Jinja template; several of them; or None.
    :param file: the settings file.
    """
    if isinstance(place, tuple):
        return tuple(located(each, file) for each in place)
    if place is None or "://" in place or place.startswith("{{"):
        return place
    path = str(file.parent / place)
    return f"{path}/" if place.endswith("/") else path


def missing_file(key: str, given: str) -> Problem:
    """What is wrong where a file that the settings name cannot be read.

    :param key: where it is named.
    :param given: its path as the settings give it.
    """
    return Problem(key, repr(given), "is no file that can be read; a relative path begins at this file")


def _problems(error: ValidationError) -> list[Problem]:
    return [_told(problem) for problem in problems_of(PipelineSettings, error)]


def _told(problem: Problem) -> Problem:
    """A problem in the words of somebody who writes YAML."""
    if not problem.path:
        return problem._replace(path=f"the {SUBJECT}")
    if problem.value == "None":
        return problem._replace(value="", message="is empty: give it a value, or leave the key out")
    if problem.path in ("True", "False"):
        return problem._replace(message=f"{UNKNOWN_KEY}: YAML reads on and yes as true, off and no as false")
    if problem.message == NO_TEXT and problem.value[:1] not in ("[", "{", "("):
        return problem._replace(message=f"{NO_TEXT}: write it in quotes")
    return problem
