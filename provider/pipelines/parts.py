"""The sections of a settings file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ..articles.watching.watched_address import MIN_INTERVAL
from ..models.field_types import Number, WholeNumber
from .field_types import (
    FileOrLines,
    Folder,
    Free,
    Rendered,
    Text,
    Texts,
    TimeSpan,
    TimeZone,
    Wait,
    length_of,
    one_or_many,
)

Minutes = Annotated[Number, Field(gt=0)]
Subtitles = Literal["srt", "vtt"]


class PipelinePart(BaseModel):
    """The base of the settings and of their parts: unknown keys are refused."""

    # The names are their own aliases: problems are told with them.
    model_config = ConfigDict(alias_generator=str, extra="forbid", frozen=True, allow_inf_nan=False)


class Budget(PipelinePart):
    """What may be spent; what is over it is left out.

    :param max_videos: the largest number of videos of a run; null for no limit.
    :param max_minutes: the largest number of minutes of video of a run, by the estimate; null for no limit.
    :param max_minutes_per_day: the largest number of minutes of video a day of all runs on the connection, whatever
        their DAG.
    :param max_minutes_per_month: the same for a calendar month.
    :param budget_timezone: where a day and a month begin; absent: Airflow's ``[core] default_timezone``.
    :param carry_over: whether what finds no room waits for the next run.
    :param max_age: how long it waits, such as ``P7D``.
    :param on_low_quota: where the service has fewer minutes left than the run needs: ``fail``, or
        ``make_what_fits``. The connection must name where to ask for the quota.
    """

    max_videos: Annotated[WholeNumber, Field(ge=1)] | None = 20
    max_minutes: Minutes | None = 60
    max_minutes_per_day: Minutes | None = None
    max_minutes_per_month: Minutes | None = None
    budget_timezone: TimeZone | None = None
    carry_over: bool = False
    max_age: TimeSpan = "P7D"
    on_low_quota: Literal["fail", "make_what_fits"] = "fail"


class Script(PipelinePart):
    """A language model writes what is said, and the article is compared with it.

    :param llm_conn_id: the Airflow connection of the model.
    :param model_id: a model in place of the connection's.
    :param seconds: how long each video is to be; absent: ``max_seconds`` of the template, else 60.
    :param on_unsupported: what to do with a script that the article does not support: ``fall_back`` to the article's
        own text, ``drop`` the scenes at fault, or ``fail``.
    :param instructions: in place of those that ship: a file, or a text of several lines.
    :param model_settings: for the model, such as ``{temperature: 0.2}``.
    """

    llm_conn_id: Text
    model_id: Text | None = None
    seconds: Annotated[Number, Field(gt=0)] | None = None
    on_unsupported: Literal["fall_back", "drop", "fail"] = "fall_back"
    instructions: FileOrLines | None = None
    model_settings: Free = Field(default_factory=dict)


class Watch(PipelinePart):
    """A run starts when the feed publishes something.

    :param poll_interval: seconds between two looks at the feed; the site may ask for more.
    :param respect_ttl: whether the feed's own wish for fewer looks counts.
    """

    poll_interval: Annotated[Number, Field(ge=MIN_INTERVAL)] = 60
    respect_ttl: bool = True


class Approval(PipelinePart):
    """A person looks at each preview before its video is rendered.

    :param response_timeout: how long a question waits, such as ``PT12H``.
    :param defaults: what no answer means: ``Reject`` or ``Approve``.
    """

    response_timeout: Wait = "P1D"
    defaults: Literal["Reject", "Approve"] = "Reject"


class Delivery(PipelinePart):
    """Where the videos go, and what goes beside them.

    :param destination: the folder of the videos, in any storage, such as ``s3://my_aws_connection@my-bucket/videos/``.
    :param subtitles: which to put beside each video: ``srt``, ``vtt``.
    :param thumbnail: whether to put a picture beside each video.
    :param sidecar: whether to put a JSON file beside each video that says how it was made.
    :param manifest: a file that gets a line of JSON for each video; not together with ``approval``.
    """

    destination: Folder
    subtitles: Annotated[
        tuple[Subtitles, ...],
        BeforeValidator(one_or_many, json_schema_input_type=Subtitles | tuple[Subtitles, ...]),
    ] = ()
    thumbnail: bool = False
    sidecar: bool = False
    manifest: Rendered | None = None


class Email(PipelinePart):
    """An e-mail after each run.

    :param to: one address, or a list of them.
    :param from_email: the sender; absent: the one of the connection.
    :param smtp_conn_id: the Airflow connection to the mail server.
    """

    to: Texts
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
        return {**self.model_dump(), "retry_delay": length_of(self.retry_delay)}
