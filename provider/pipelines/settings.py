"""The settings of a pipeline: what stands in its YAML file, checked as far as a DAG file can afford."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import PurePath
from typing import Annotated, Any, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from ..errors import InvalidRequestError, Problem
from ..info import DEFAULT_CONNECTION_ID
from ..models.field_types import Number, WholeNumber
from ..models.problems import problems_of
from ..models.request_text import parse_request_text

SUBJECT = "pipeline"
SOURCES = ("feed_url", "urls", "files")
PRESETS = ("@hourly", "@daily", "@weekly", "@monthly", "@quarterly", "@yearly")
"""Airflow's names of schedules; not ``@continuous``, which would never stop paying."""
_DAG_ID = re.compile(r"[\w.-]+")
_TIME_SPAN: TypeAdapter[timedelta] = TypeAdapter(timedelta)
_PASSWORD = re.compile(r"://[^/@\s]*:[^/@\s]*@")


def _text(value: str) -> str:
    if not value.strip():
        raise ValueError("must not be empty")
    if _PASSWORD.search(value):
        raise ValueError(
            "holds a password, and this file is no place for one: put it into an Airflow connection, or the whole "
            "address into a Variable, such as {{ var.value.feed_url }}"
        )
    return value


def _one_or_many(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


def _dag_id(value: str) -> str:
    if not _DAG_ID.fullmatch(value):
        raise ValueError("may hold letters, digits, '-', '_' and '.' only")
    return value


def _schedule(value: str) -> str:
    if value in PRESETS:
        return value
    from croniter import croniter

    # croniter knows more words of its own.
    if value.startswith("@") or not croniter.is_valid(value):
        raise ValueError(f"must be a cron expression, such as '0 3 * * *', or one of {', '.join(PRESETS)}")
    return value


def _timezone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (KeyError, ValueError, OSError):
        raise ValueError("must be the name of a time zone, such as Europe/Berlin") from None
    return value


def _time_span(value: str) -> str:
    try:
        right = _TIME_SPAN.validate_python(value) >= timedelta(0)
    except (ValidationError, OverflowError):
        right = False
    if not right:
        raise ValueError("must be a time span, such as P2D (two days) or PT6H (six hours)")
    return value


def _local(value: str) -> str:
    if "://" in value:
        raise ValueError("must be a file on disk, such as one beside this file")
    return value


def _folder(value: str) -> str:
    if not value.endswith("/"):
        raise ValueError("must end with a slash: it is the folder that takes the videos")
    return value


Text = Annotated[str, AfterValidator(_text)]
TimeSpan = Annotated[str, AfterValidator(_time_span)]
_DagId = Annotated[str, AfterValidator(_dag_id)]
_OneOrMany = BeforeValidator(_one_or_many, json_schema_input_type=str | tuple[str, ...])
_Texts = Annotated[tuple[Text, ...], _OneOrMany, Field(min_length=1)]
Subtitles = Literal["srt", "vtt"]


class PipelinePart(BaseModel):
    """The base of the settings and of their parts: unknown keys are refused."""

    # The names are their own aliases: problems are told with them.
    model_config = ConfigDict(alias_generator=str, extra="forbid", frozen=True, allow_inf_nan=False)


class Budget(PipelinePart):
    """What a run may cost; what is over it is left out.

    :param max_videos: the largest number of videos of a run; null for no limit.
    :param max_minutes: the largest number of minutes of video of a run, by the estimate; null for no limit.
    :param on_low_quota: where the service has fewer minutes left than the run needs: ``fail``, or
        ``make_what_fits``. The connection must name where to ask for the quota.
    """

    max_videos: Annotated[WholeNumber, Field(ge=1)] | None = 20
    max_minutes: Annotated[Number, Field(gt=0)] | None = 60
    on_low_quota: Literal["fail", "make_what_fits"] = "fail"


class Delivery(PipelinePart):
    """Where the videos go, and what goes beside them.

    :param destination: the folder of the videos, in any storage, such as ``s3://my_aws_connection@my-bucket/videos/``.
    :param subtitles: which to put beside each video: ``srt``, ``vtt``.
    :param thumbnail: whether to put a picture beside each video.
    :param sidecar: whether to put a JSON file beside each video that says how it was made.
    :param manifest: a file that gets a line of JSON for each video; not together with ``approval``.
    """

    destination: Annotated[Text, AfterValidator(_folder)]
    subtitles: Annotated[
        tuple[Subtitles, ...],
        BeforeValidator(_one_or_many, json_schema_input_type=Subtitles | tuple[Subtitles, ...]),
    ] = ()
    thumbnail: bool = False
    sidecar: bool = False
    manifest: Text | None = None


class Email(PipelinePart):
    """An e-mail after each run.

    :param to: one address, or a list of them.
    :param from_email: the sender; absent: the one of the connection.
    :param smtp_conn_id: the Airflow connection to the mail server.
    """

    to: _Texts
    from_email: Text | None = None
    smtp_conn_id: Text = "smtp_default"


class Tell(PipelinePart):
    """Whom to tell what came of a run, and, with ``approval``, that a video waits for an answer.

    :param slack_webhook_conn_id: the Airflow connection of a Slack webhook, which belongs to one channel.
    :param email: to whom an e-mail goes.
    """

    slack_webhook_conn_id: Text | None = None
    email: Email | None = None


class DefaultArgs(PipelinePart):
    """What each task of the DAG has.

    :param owner: who answers for it, as Airflow shows it.
    :param retries: how often a failed task is tried again, which pays for nothing twice.
    :param retry_delay: the time between two tries, such as ``PT1M``.
    :param pool: the Airflow pool in which the tasks run.
    """

    owner: Text = "airflow"
    retries: Annotated[WholeNumber, Field(ge=0)] = 2
    retry_delay: TimeSpan = "PT1M"
    pool: Text = "default_pool"

    def to_airflow(self) -> dict[str, Any]:
        """The ``default_args`` of the DAG."""
        return {**self.model_dump(), "retry_delay": _TIME_SPAN.validate_python(self.retry_delay)}


class PipelineSettings(PipelinePart):
    """The settings of a pipeline: what becomes videos, when, how, and where they go (source: ours).

    docs/build/pipelines-from-yaml.md shows them as YAML. The rules of the scenes are checked by ``check`` and by the
    run, before anything is paid for: to load their models would double what the DAG file costs.

    :param dag_id: the DAG's name; default: the name of the settings file, without its ending.
    :param feed_url: address of an RSS or Atom feed.
    :param urls: addresses of pages, or one; all are read in every run.
    :param files: folders, files or patterns of .html, .htm and .txt files, or one of them, in any storage.
    :param lookback: how far back the first run and runs by hand reach, such as ``P2D``.
    :param schedule: a cron expression such as ``0 3 * * *``, or ``@daily``; absent: only when somebody triggers it.
    :param timezone: of the schedule, such as ``Europe/Berlin``.
    :param template: a storyboard template: a file of its own, for several pipelines.
    :param rules: rules of a template that stand here, each in place of the one in the file.
    :param budget: what a run may cost.
    :param approval: whether a person approves each preview before its video is rendered.
    :param delivery: where the videos go.
    :param tell: whom to tell.
    :param video_creation_conn_id: the Airflow connection to the service.
    :param user_id: the service's user, in place of the connection's.
    :param default_args: what each task has, such as retries.
    :param tags: of the DAG, in Airflow's list.
    :raises InvalidRequestError: names every problem with its path, value and what is allowed.
    """

    dag_id: _DagId
    feed_url: Text | None = None
    urls: _Texts | None = None
    files: _Texts | None = None
    lookback: TimeSpan = "P1D"
    schedule: Annotated[str, AfterValidator(_schedule)] | None = None
    timezone: Annotated[str, AfterValidator(_timezone)] = "UTC"
    template: Annotated[Text, AfterValidator(_local)] | None = None
    rules: dict[str, Any] = Field(default_factory=dict)
    budget: Budget = Budget()
    approval: bool = False
    delivery: Delivery
    tell: Tell = Tell()
    video_creation_conn_id: Text = DEFAULT_CONNECTION_ID
    user_id: Text | None = None
    default_args: DefaultArgs = DefaultArgs()
    tags: Annotated[tuple[Text, ...], _OneOrMany] = ("video_creation",)

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
        return self

    def _beside(self, file: PurePath) -> Self:
        places = {name: located(getattr(self, name), file) for name in ("template", "files")}
        delivery = {name: located(getattr(self.delivery, name), file) for name in ("destination", "manifest")}
        return self.model_copy(update={**places, "delivery": self.delivery.model_copy(update=delivery)})


def as_written(text: str, file: PurePath) -> dict[str, Any]:
    """The settings as they stand in a file, not yet checked.

    :param text: JSON or YAML.
    :param file: where it stands.
    :raises InvalidRequestError: it is neither, or no object with fields.
    """
    try:
        fields = parse_request_text(text, subject_of(file))
    except InvalidRequestError as error:
        problems = [problem._replace(path="the file") for problem in error.problems]
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


def missing_template(given: str) -> Problem:
    """What is wrong where the template's file cannot be read.

    :param given: its path as it stands in the settings.
    """
    return Problem(
        "template", repr(given), "is no file that can be read; a relative path begins at this file"
    )


def _problems(error: ValidationError) -> list[Problem]:
    found = problems_of(PipelineSettings, error)
    return [problem if problem.path else problem._replace(path=f"the {SUBJECT}") for problem in found]
