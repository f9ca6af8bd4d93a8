"""How the service behaves: what may be changed while it runs."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from .dialect import Dialect
from .fault import Fault
from .rate_limit import RetryAfterForm

DEFAULT_JOB_SECONDS = 2.0


class Behaviour(BaseModel):
    """Start options of an emulator which its admin API can change as well. Source: ours.

    :param instant: media are tiny placeholders, and jobs take no time unless one of the next three is set
    :param job_seconds: seconds that a job takes at least; absent: 2, or 0 when instant
    :param job_spread: sigma of a log-normal spread around `job_seconds`, which is then the median
    :param job_polls: a job is complete at that poll after it began; 0: polls do not matter
    :param token_seconds: seconds that a fetched token is valid
    :param requests_per_minute: beyond it calls are answered 429; absent: no limit
    :param burst: calls that may come at once under `requests_per_minute`
    :param retry_after: form of the header that goes with a 429
    :param idempotency_header: a repeated submission with the same value of this header gets the first one's reply
    :param quota_minutes: minutes of video that may be rendered; beyond it storyboards and renders are answered 402;
        absent: as good as no limit
    :param webhook_max_length: a longer webhook is answered 400; absent: no limit but that of the field
    :param dialect: how replies are worded
    :param faults: what goes wrong
    :param seed: of everything that happens by chance
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    instant: bool = False
    job_seconds: Annotated[float, Field(ge=0)] | None = None
    job_spread: Annotated[float, Field(ge=0, le=5)] = 0.0
    job_polls: Annotated[int, Field(ge=0)] = 0
    token_seconds: Annotated[float, Field(gt=0)] = 3600.0
    requests_per_minute: Annotated[float, Field(gt=0)] | None = None
    burst: Annotated[int, Field(ge=1)] = 20
    retry_after: RetryAfterForm = "seconds"
    idempotency_header: str | None = None
    quota_minutes: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    webhook_max_length: Annotated[int, Field(ge=0)] | None = None
    dialect: Dialect = Dialect()
    faults: tuple[Fault, ...] = ()
    seed: int = 0

    @property
    def least_seconds(self) -> float:
        """Seconds that a job takes at least, before the spread."""
        if self.job_seconds is None:
            return 0.0 if self.instant else DEFAULT_JOB_SECONDS
        return self.job_seconds
